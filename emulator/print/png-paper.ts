/** The picture of a document as PNG. It uses only the fonts in `fonts/`, so that it is the same on every machine. */
import { join } from 'node:path'

const fonts = ['head.ttf', 'head-bold.ttf', 'paper.ttf', 'paper-bold.ttf'].map((name) =>
  join(import.meta.dirname, 'fonts', name),
)
const FAMILY_OF_FONTS = 'DejaVu Sans Mono'
/** Pixels per dot of the print head. */
const ZOOM = 2

/** Rejects if the drawing library is not available for this machine. */
export async function paperPng(svg: string): Promise<Buffer> {
  const { Resvg } = await import('@resvg/resvg-js')
  const picture = new Resvg(svg, {
    font: {
      fontFiles: fonts,
      loadSystemFonts: false,
      defaultFontFamily: FAMILY_OF_FONTS,
      monospaceFamily: FAMILY_OF_FONTS,
    },
    // A width in millimetres would be interpreted at 96 dpi, but the view box is in dots.
    fitTo: { mode: 'width', value: Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1] ?? 640) * ZOOM },
  })
  return picture.render().asPng()
}
