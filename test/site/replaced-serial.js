/**
 * Runs in the page before it loads: a port of `navigator.serial` whose bytes go through a WebSocket, in decimal with
 * commas between them. A message contains all bytes of one read or write, because one message per byte is too slow.
 */

class TestPort extends EventTarget {
  readable = null
  writable = null
  #socket

  async open({ baudRate }) {
    const socket = new WebSocket(`ws://${location.host}/serial-port`)
    this.#socket = socket
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    socket.send(String(baudRate))
    this.readable = new ReadableStream({
      start(controller) {
        socket.addEventListener('message', ({ data }) => controller.enqueue(Uint8Array.from(data.split(','), Number)))
        socket.addEventListener('close', () => {
          try {
            controller.error(new DOMException('The device has been lost.', 'NetworkError'))
          } catch {
            // Already closed.
          }
        })
      },
    })
    this.writable = new WritableStream({
      write(bytes) {
        socket.send(bytes.join(','))
      },
    })
  }

  async close() {
    const closed = new Promise((resolve) => this.#socket.addEventListener('close', resolve))
    this.#socket.close()
    await closed
    this.readable = null
    this.writable = null
  }
}

Object.defineProperty(Navigator.prototype, 'serial', {
  configurable: true,
  value: { requestPort: async () => new TestPort() },
})
