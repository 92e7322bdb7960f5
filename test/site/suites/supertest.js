/** The part of supertest that the rig of the suites uses, without a socket. */
import { inject } from '../../../bin/site/browser/replacements/inject.ts'

const bodyOf = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

class Call {
  #app
  #call
  constructor(app, method, path) {
    this.#app = app
    this.#call = { method, path, headers: {} }
  }

  set(name, value) {
    this.#call.headers[name] = value
    return this
  }

  send(body) {
    this.set('Content-Type', 'application/json')
    this.#call.body = typeof body === 'string' ? body : JSON.stringify(body)
    return this
  }

  // biome-ignore lint/suspicious/noThenProperty: tests await the request, as in supertest
  then(done, failed) {
    return inject(this.#app, this.#call)
      .answer.then(({ status, headers, text }) => ({ status, headers, text, body: bodyOf(text) }))
      .then(done, failed)
  }
}

// biome-ignore lint/style/noDefaultExport: the replaced package has a default export
export default (app) => ({
  get: (path) => new Call(app, 'GET', path),
  post: (path) => new Call(app, 'POST', path),
})
