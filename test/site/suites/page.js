/** The page of the suites: starts its worker, and runs a part of the suites in it. */
const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })

window.runSuites = (part) =>
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(message))
    worker.postMessage(part)
  })
