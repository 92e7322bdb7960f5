/** Downloads files of the device. A browser's own download would send a request to a server. */
import { verbatim } from '../../../drivers/host/markup.ts'

export function downloadsFromWorker(): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[download]') : null
    const { pathname, search } = link ?? { pathname: '', search: '' }
    if (!link || !pathname.startsWith('/emulator')) return
    event.preventDefault()
    void fileAt(pathname + search).then(
      (file) => save(file, link.download),
      (problem: unknown) => document.dispatchEvent(new CustomEvent('trouble', { detail: String(problem) })),
    )
  })
}

export function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

async function fileAt(path: string): Promise<Blob> {
  const isPicture = path.endsWith('.png')
  const response = await fetch(isPicture ? path.replace(/png$/, 'svg') : path)
  if (!response.ok) throw new Error(`The file could not be created: ${await response.text()}`)
  return isPicture ? dotsOf(await response.text()) : response.blob()
}

/** Pixels per dot of the print head, as in emulator/print/png-paper.ts. */
const ZOOM = 2

async function dotsOf(svg: string): Promise<Blob> {
  const [, width = 640, height = 640] = (/viewBox="0 0 (\d+) (\d+)/.exec(svg) ?? []).map(Number)
  const image = new Image()
  // An SVG image cannot use the fonts of the page unless it contains them.
  const style = verbatim('style', await fonts())
  const whole = svg.replace('>', () => `>${style}`)
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(whole)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width * ZOOM
  canvas.height = height * ZOOM
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser created no picture.'))), 'image/png'),
  )
}

async function fonts(): Promise<string> {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => [rule, sheet] as const))
  const faces = rules.filter(([rule]) => rule instanceof CSSFontFaceRule)
  const texts = await Promise.all(
    faces.map(async ([rule, sheet]) => {
      const address = /url\("?([^")]+)"?\)/.exec(rule.cssText)?.[1] ?? ''
      const font = await (await fetch(new URL(address, sheet.href ?? location.href))).blob()
      return rule.cssText.replace(address, await dataOf(font))
    }),
  )
  return texts.join('')
}

const dataOf = (blob: Blob): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.readAsDataURL(blob)
  })
