import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Paper on its way out of the slot: what is drawn comes out line by line, as fast as the mechanism is. */

/** Without times of its own the mechanism is quick, and a long report does not take for ever. */
const QUICK_LINE_MS = 18
const QUICK_MOST_MS = 900

export interface Feeding {
  /** It hangs in the slot; what does not has come out whole. */
  readonly isAtSlot: boolean
  /** It hung there before anybody looked: only what follows is seen coming. */
  readonly wasThere: boolean
  /** What a line takes; null: all is printed at once. */
  readonly lineMs: number | null
  /** Nothing moves. */
  readonly isStill: boolean
}

/** Whether all that is drawn is out, and how much of it is, in pixels. `sheet` is as high as what is out of the slot. */
export function useFeed(
  sheet: { readonly current: HTMLElement | null },
  svg: string | undefined,
  feeding: Feeding | undefined,
) {
  /** In dots of the head, which no width of the window changes. */
  const out = useRef<number | undefined>(undefined)
  const latest = useRef(feeding)
  latest.current = feeding
  const animates = feeding?.isAtSlot === true && !feeding.isStill
  const [isOut, setOut] = useState(!animates || feeding.wasThere)
  useLayoutEffect(() => {
    const { current } = sheet
    const drawing = current?.querySelector('svg')
    if (!current || !drawing) return undefined
    const { whole, line } = dotsOf(drawing)
    const isFirst = out.current === undefined
    const start = !animates || (isFirst && latest.current?.wasThere) ? whole : Math.min(out.current ?? 0, whole)
    const show = (dots: number) => {
      out.current = dots
      current.style.height = dots < whole ? `${(dots / whole) * drawing.getBoundingClientRect().height}px` : ''
    }
    show(start)
    setOut(start >= whole)
    if (start >= whole) return undefined
    const quickMs = Math.min(QUICK_LINE_MS, (QUICK_MOST_MS * line) / (whole - start))
    let last: number | undefined
    let frame = 0
    const step = (at: number) => {
      last ??= at
      const everyMs = latest.current?.lineMs ?? quickMs
      const lines = Math.floor((at - last) / everyMs)
      if (lines > 0) {
        last += lines * everyMs
        show(Math.min(whole, (out.current ?? 0) + lines * line))
      }
      if ((out.current ?? 0) < whole) frame = requestAnimationFrame(step)
      else setOut(true)
    }
    frame = requestAnimationFrame(step)
    return () => cancelAnimationFrame(frame)
  }, [svg, animates])
  const outPx = () => sheet.current?.getBoundingClientRect().height ?? 0
  return { isOut, outPx }
}

/** How high the drawing is, and one of its lines. */
function dotsOf(drawing: SVGSVGElement): { readonly whole: number; readonly line: number } {
  const whole = drawing.viewBox.baseVal.height
  return { whole, line: Number(drawing.dataset['line']) || whole }
}
