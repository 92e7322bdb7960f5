import type { Request } from 'express'

const NAME = 'Idempotency-Key'

type KeyHeader =
  | { readonly ok: true; readonly key: string | undefined }
  | { readonly ok: false; readonly message: string }

/**
 * Reads the `Idempotency-Key`. Refuses two headers: Node would join them to a third key, and a retry with only one of
 * them would print again (decisions 3).
 */
export function readKey(request: Request): KeyHeader {
  const times = request.rawHeaders.filter(
    (name, at) => at % 2 === 0 && name.toLowerCase() === NAME.toLowerCase(),
  ).length
  return times > 1
    ? { ok: false, message: `${NAME} appears ${times} times in this request; send it once.` }
    : { ok: true, key: request.get(NAME) }
}
