// The page of one emulated device: what it prints, shows and is, pushed by /events; its buttons are the control
// interface's own calls. Read anew after every reconnection, so that nothing is missed.

/** Documents kept on the page; older ones are at /emulator/documents. */
const KEPT = 100

const byId = (id) => document.getElementById(id)
const paper = byId('paper')

let lastDocument = 0
/** Lines that have left the printer and belong to no finished document yet. */
let growing

function keepEnd(change) {
  const atEnd = paper.scrollHeight - paper.scrollTop - paper.clientHeight < 60
  change()
  if (atEnd) paper.scrollTop = paper.scrollHeight
}

function showLine({ text }) {
  keepEnd(() => {
    if (!growing) {
      growing = document.createElement('pre')
      paper.append(growing)
    }
    growing.append(`${text}\n`)
  })
}

function showDocument({ id, kind, number, text }) {
  if (id <= lastDocument) return
  lastDocument = id
  keepEnd(() => {
    const sheet = document.createElement('pre')
    sheet.title = `${kind}, document ${number}`
    sheet.textContent = `${text.join('\n')}\n`
    if (growing) growing.replaceWith(sheet)
    else paper.append(sheet)
    growing = undefined
    while (paper.children.length > KEPT) paper.firstElementChild.remove()
  })
}

function showDisplay(lines) {
  byId('display').textContent = lines.join('\n')
}

const HANDS = [
  {
    path: 'paper',
    label: (state) => (state.paper === 'out' ? 'Put paper in' : 'Take paper out'),
    form: (state) => ({ state: state.paper === 'out' ? 'ok' : 'out' }),
  },
  {
    path: 'cover',
    label: (state) => (state.cover ? 'Close cover' : 'Open cover'),
    form: (state) => ({ open: !state.cover }),
  },
  {
    path: 'power',
    label: (state) => (state.power ? 'Switch off' : 'Switch on'),
    form: (state) => ({ on: !state.power }),
  },
  {
    path: 'cable',
    label: (state) => (state.cable ? 'Pull the cable' : 'Plug the cable in'),
    form: (state) => ({ connected: !state.cable }),
  },
]
let state

async function act(hand) {
  const response = await fetch(`/emulator/${hand.path}`, { method: 'POST', body: JSON.stringify(hand.form(state)) })
  byId('problem').textContent = response.ok ? '' : (await response.json()).error
}

const buttons = HANDS.map((hand) => {
  const button = document.createElement('button')
  button.type = 'button'
  button.disabled = true
  button.addEventListener('click', () =>
    act(hand).catch((problem) => {
      byId('problem').textContent = `The emulator cannot be reached: ${problem.message}`
    }),
  )
  byId('hands').append(button)
  return button
})

function showState(now) {
  state = now
  document.title = `${now.model} (family ${now.family}, ${now.profile})`
  byId('model').textContent = document.title
  showDisplay(now.display)
  buttons.forEach((button, index) => {
    button.disabled = false
    button.textContent = HANDS[index].label(now)
  })
  const { receipt, counters, day, fiscalMemory } = now
  const rows = [
    ['Power', now.power ? 'on' : 'off'],
    ['Paper', now.paper],
    ['Cover', now.cover ? 'open' : 'closed'],
    ['Cable', now.cable ? 'connected' : 'pulled out'],
    ['Clock', now.clock.replace('T', ' ')],
    ['Serial number', now.serialNumber],
    ['Fiscal memory', `${now.fiscalMemoryNumber}, ${fiscalMemory.used} of ${fiscalMemory.capacity} records`],
    [
      'Open receipt',
      receipt
        ? `${receipt.kind} ${receipt.number}: ${receipt.items} items, ${receipt.total}, paid ${receipt.paid}`
        : 'none',
    ],
    ['Fiscal receipts', `${counters.fiscalReceipts}, last number ${counters.lastReceiptNumber}`],
    ['Last Z report', counters.lastZ],
    ['Turnover today', day.total],
    ...Object.entries(day.taxes)
      .filter(([, amount]) => amount !== '0.00')
      .map(([letter, amount]) => [`Tax group ${letter}`, amount]),
    ['Cash in drawer', day.drawerCash],
  ]
  byId('state').replaceChildren(
    ...rows.flatMap(([name, value]) => {
      const term = document.createElement('dt')
      const text = document.createElement('dd')
      term.textContent = name
      text.textContent = value
      return [term, text]
    }),
  )
}

async function readDocuments() {
  const response = await fetch(`/emulator/documents?after=${lastDocument}`)
  for (const one of (await response.json()).slice(-KEPT)) showDocument(one)
}

const events = new EventSource('/events')
const on = (name, show) => events.addEventListener(name, (event) => show(JSON.parse(event.data)))
on('state', showState)
on('line', showLine)
on('document', showDocument)
on('display', ({ lines }) => showDisplay(lines))
events.addEventListener('open', () => {
  byId('connection').textContent = 'live'
  readDocuments().catch(() => undefined)
})
events.addEventListener('error', () => {
  byId('connection').textContent = 'not connected, trying again'
})
