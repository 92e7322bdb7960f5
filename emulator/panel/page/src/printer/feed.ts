import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Time per line in ms if the mechanism has no defined speed. A whole report takes at most `QUICK_MOST_MS`. */
const QUICK_LINE_MS = 18
const QUICK_MOST_MS = 900

export interface PaperFeed {
  /** True for the paper at the slot. Other paper is completely out. */
  readonly isAtSlot: boolean
  /** True if the paper was at the slot before it was shown, so that only later lines are animated. */
  readonly wasThere: boolean
  /** Time per line in ms; `null` if everything is printed at once. */
  readonly lineMs: number | null
  readonly isWithoutAnimation: boolean
}

/**
 * Returns whether the whole drawing is out, and its visible height in pixels. Sets the height of `sheet` to the part
 * outside the slot.
 */
export function useFeed(
  sheet: { readonly current: HTMLElement | null },
  svg: string | undefined,
  feeding: PaperFeed | undefined,
) {
  /** Visible height in dots of the print head, which do not depend on the width of the window. */
  const out = useRef<number | undefined>(undefined)
  const latest = useRef(feeding)
  latest.current = feeding
  const animates = feeding?.isAtSlot === true && !feeding.isWithoutAnimation
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

function dotsOf(drawing: SVGSVGElement): { readonly whole: number; readonly line: number } {
  const whole = drawing.viewBox.baseVal.height
  return { whole, line: Number(drawing.dataset['line']) || whole }
}
