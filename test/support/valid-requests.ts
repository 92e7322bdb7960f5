/** The bodies of all endpoints are written by hand. Generated tests change one field at a time. */
export const VALID_BODIES: Readonly<Record<string, object>> = {
  '/open-non-fiscal-receipt': { OperatorCode: 1, OperatorPassword: '0000' },
  '/print-non-fiscal-text': { Message: 'hello', Bold: true, Italic: false, Height: 1, Underline: true, Alignment: 2 },
  '/open-fiscal-receipt': { OperatorCode: 1, OperatorPassword: '0000', PointOfSaleNumber: 24, Invoice: false },
  '/print-fiscal-text': { Message: 'hello', Bold: true, Italic: false, Height: 1, Underline: true, Alignment: 2 },
  '/register-free-sale': {
    ProductName: 'Bread',
    TaxCode: 2,
    Price: 1.5,
    Department: 1,
    Unit: 'pcs',
    Void: false,
    Quantity: 2,
    DiscountType: 4,
    DiscountValue: 0.5,
  },
  '/register-plu-sale': { PluNumber: 7, Void: false, Quantity: 2, DiscountType: 4, DiscountValue: 0.5 },
  '/subtotal': { Print: true, Display: true, DiscountType: 4, DiscountValue: 0.5 },
  '/payment': { PaymentMode: 0, Amount: 5 },
  '/print-bar-code': {
    Type: 4,
    Data: 'https://example',
    QrSize: 4,
    Position: 1,
    Scale: 2,
    Height: 10,
    PrintText: true,
  },
  '/display-line-one': { Text: 'Welcome' },
  '/display-line-two': { Text: 'Welcome' },
  '/print-fiscal-receipt': {
    OpenFiscalReceipt: { OperatorCode: 1, OperatorPassword: '0000', PointOfSaleNumber: 24, Invoice: false },
    ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 7, Quantity: 2, DiscountType: 4, DiscountValue: 0.5 } }],
    Subtotal: { Print: true, DiscountType: 4, DiscountValue: 0.5 },
    Payments: [{ PaymentMode: 0, Amount: 5 }],
  },
  '/print-non-fiscal-receipt': { ReceiptItems: [{ Type: 0, Text: { Message: 'hello' } }] },
}

export const VALID_PATHS: Readonly<Record<string, string>> = {
  '/ask-for-z-report-structured-information/{number}': '/ask-for-z-report-structured-information/1',
  '/print-separating-line/{type}': '/print-separating-line/1',
}
