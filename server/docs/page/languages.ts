/**
 * Shows the requests on the pages in languages other than curl. The user's choice applies to all requests, and to later
 * visits.
 */

interface PageRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly body: string | undefined
}

const CURL =
  /^curl -s(?: -X (GET|POST|PUT|DELETE))? (http:\S+?)(?: -H 'Content-Type: application\/json'(?: \\\n)?\s*-d '([\s\S]*)')?$/

function parseCurl(text: string): PageRequest | undefined {
  const [whole, method, url, body] = CURL.exec(text.trim()) ?? []
  if (whole === undefined || url === undefined) return undefined
  return {
    method: (method ?? (body === undefined ? 'GET' : 'POST')) as PageRequest['method'],
    url,
    body: body?.replaceAll("'\\''", "'"),
  }
}

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)

function javascript({ method, url, body }: PageRequest): string {
  if (method === 'GET')
    return `const response = await fetch('${url}')\nconsole.log(response.status, await response.text())`
  const lines = [
    `  method: '${method}',`,
    ...(body === undefined
      ? []
      : [`  headers: { 'Content-Type': 'application/json' },`, `  body: JSON.stringify(${indented(body, '  ')}),`]),
  ]
  return `const response = await fetch('${url}', {\n${lines.join('\n')}\n})\nconsole.log(response.status, await response.text())`
}

const asPython = (json: string): string =>
  json.replaceAll(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (part) => ({ true: 'True', false: 'False', null: 'None' })[part] ?? part,
  )

function python({ method, url, body }: PageRequest): string {
  const data = body === undefined ? '' : `, json=${asPython(body)}`
  return `import requests\n\nresponse = requests.${method.toLowerCase()}("${url}"${data})\nprint(response.status_code, response.text)`
}

function csharp({ method, url, body }: PageRequest): string {
  const content = 'new StringContent(body, System.Text.Encoding.UTF8, "application/json")'
  const call = {
    GET: `GetAsync("${url}")`,
    DELETE: `DeleteAsync("${url}")`,
    POST: `PostAsync("${url}", ${body === undefined ? 'null' : content})`,
    PUT: `PutAsync("${url}", ${body === undefined ? 'null' : content})`,
  }[method]
  return [
    'using var client = new HttpClient();',
    ...(body === undefined ? [] : ['var body = """', body, '""";']),
    `var response = await client.${call};`,
    'Console.WriteLine((int)response.StatusCode + " " + await response.Content.ReadAsStringAsync());',
  ].join('\n')
}

function php({ method, url, body }: PageRequest): string {
  const options = [
    `    'method' => '${method}',`,
    `    'ignore_errors' => true,`,
    ...(body === undefined
      ? []
      : [`    'header' => 'Content-Type: application/json',`, `    'content' => <<<'JSON'\n${body}\nJSON,`]),
  ]
  return `<?php\n$context = stream_context_create(['http' => [\n${options.join('\n')}\n]]);\necho file_get_contents('${url}', false, $context);`
}

const LANGUAGES = {
  curl: undefined,
  JavaScript: javascript,
  Python: python,
  'C#': csharp,
  PHP: php,
} as const satisfies Readonly<Record<string, ((request: PageRequest) => string) | undefined>>
type Language = keyof typeof LANGUAGES
const NAMES = Object.keys(LANGUAGES) as Language[]
const KEY = 'fiscal-rig-language'

interface Example {
  readonly code: HTMLElement
  readonly curl: readonly Node[]
  readonly request: PageRequest
  readonly buttons: ReadonlyMap<Language, HTMLButtonElement>
}

/** Must be called after own-address.ts has replaced the addresses in the examples. */
export function chooseLanguages(): void {
  const examples: Example[] = []
  const choose = (language: Language) => {
    for (const { code, curl, request, buttons } of examples) {
      const words = LANGUAGES[language]?.(request)
      code.replaceChildren(...(words === undefined ? curl : [words]))
      for (const [name, button] of buttons) button.setAttribute('aria-pressed', String(name === language))
    }
    keep(language)
  }
  for (const block of document.querySelectorAll<HTMLElement>('#content .code')) {
    const code = block.querySelector('code')
    const request = code && parseCurl(code.textContent ?? '')
    if (code && request)
      examples.push({ code, curl: [...code.childNodes], request, buttons: buttonsFor(block, choose) })
  }
  if (examples.length > 0) choose(savedLanguage())
}

function buttonsFor(
  block: HTMLElement,
  choose: (language: Language) => void,
): ReadonlyMap<Language, HTMLButtonElement> {
  const row = document.createElement('div')
  row.className = 'languages'
  row.setAttribute('role', 'group')
  row.setAttribute('aria-label', 'Language of the example')
  const buttons = new Map(
    NAMES.map((name) => {
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = name
      button.addEventListener('click', () => {
        // Examples above may grow. The page scrolls so that this one keeps its position.
        const before = button.getBoundingClientRect().top
        choose(name)
        scrollBy(0, button.getBoundingClientRect().top - before)
      })
      return [name, button] as const
    }),
  )
  row.append(...buttons.values())
  block.before(row)
  return buttons
}

function savedLanguage(): Language {
  try {
    return NAMES.find((name) => name === localStorage.getItem(KEY)) ?? 'curl'
  } catch {
    return 'curl'
  }
}

function keep(language: Language): void {
  try {
    localStorage.setItem(KEY, language)
  } catch {
    // The browser stores nothing, so the choice applies only to this page.
  }
}
