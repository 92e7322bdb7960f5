export const TRY_IT = {
  name: 'try-it',
  title: 'Try it',
  styles: ['swagger-ui.css', 'reader.css'],
  scripts: ['swagger-ui-bundle.js', 'reader.js'],
} as const

export const tryItText =
  (): string => `Open a request, change its body if you like, and press *Execute*: it goes to the service that this page comes from.
Requests that print are really printed, also on a real device.

<p id="reader-told" class="note" role="status">The reader is loaded.</p>

## Requests

<div id="reader" class="full"></div>`
