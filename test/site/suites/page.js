/** The page of the suites: its worker, and how to run a part of them. */
const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })

window.runSuites = (part) =>
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(message))
    worker.postMessage(part)
  })
