/**
 * Prints only the receipt, on a page of its size. The size is known only at printing, so that a temporary style rule
 * contains it.
 */
export function preparePrinting(): void {
  let rule: { readonly sheet: CSSStyleSheet; readonly text: string } | undefined
  const end = () => {
    if (!rule) return
    const { sheet, text } = rule
    const index = [...sheet.cssRules].findIndex(({ cssText }) => cssText === text)
    if (index >= 0) sheet.deleteRule(index)
    rule = undefined
  }
  addEventListener('beforeprint', () => {
    end()
    const drawing = document.querySelector('.detail-body .paper svg')
    const [sheet] = document.styleSheets
    if (!drawing || !sheet) return
    const size = `${drawing.getAttribute('width')} ${drawing.getAttribute('height')}`
    const index = sheet.insertRule(`@page { size: ${size}; margin: 0 }`, sheet.cssRules.length)
    rule = { sheet, text: sheet.cssRules[index]?.cssText ?? '' }
  })
  addEventListener('afterprint', end)
}
