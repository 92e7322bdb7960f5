import { join } from 'node:path'

/** The picture of a document as PNG: the SVG drawn with the paper font alone, the same on every machine. */

const fonts = ['head.ttf', 'head-bold.ttf', 'paper.ttf', 'paper-bold.ttf'].map((name) =>
  join(import.meta.dirname, 'fonts', name),
)
const FAMILY_OF_FONTS = 'DejaVu Sans Mono'
/** Pixels for one dot of the print head. */
const ZOOM = 2

/** Rejects when the machine has no drawing library (it is prebuilt for the usual ones). */
export async function paperPng(svg: string): Promise<Buffer> {
  const { Resvg } = await import('@resvg/resvg-js')
  const picture = new Resvg(svg, {
    font: {
      fontFiles: fonts,
      loadSystemFonts: false,
      defaultFontFamily: FAMILY_OF_FONTS,
      monospaceFamily: FAMILY_OF_FONTS,
    },
    // The width in millimetres would be taken at 96 dpi: the dots of the view box are what counts.
    fitTo: { mode: 'width', value: Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1] ?? 640) * ZOOM },
  })
  return picture.render().asPng()
}
