/** Comments, pages and messages must not use these words and turns of speech again. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './docs/pages.ts'
import { commentsOf } from './support/citations.ts'
import { tsSources } from './support/source-files.ts'

/** Words of former commands, verdicts, options and routes, each with its replacement. */
const GONE: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bstand-?ins?\b/i, 'mock platform, `mock-platform`'],
  [/--kept\b/, '--replay'],
  [/--no-ask\b/, '--no-probe'],
  [/--configured-secret\b/, '--use-config-secret'],
  [/--depth (?:look|paper|day)\b/, '--depth read, print, fiscal'],
  [/\bfleet\/hands\b/, 'fleet/controls'],
  [/\bfloor\.yaml\b/, 'fleet.yaml'],
  [/\bquiet case\b/, 'baseline case'],
  [/\bcheck sum\b/, 'checksum'],
  [/\bthe journal of the service\b/i, 'the operation log'],
  // The next patterns match names in code.
  [/\b(?:interface|type|class) (?:Told|Heard|Asked|Kept|Shown|Known|Said|Judged|Lasting)\b/, 'a noun: CommandResult'],
  [/\bexport (?:const|(?:async )?function) (?:told|untold|asked|heard|kept|known|left|wanted|shown|said)\b/, 'a verb'],
  [/\breadonly (?:told|untold|kept|wanted|shown|said)\??:/, 'a participle with its noun'],
  [/\b(?:\w+InWords|inWords|strikeOf|handWords|askedWords|optionWords)\b/, 'describeX, formatX'],
  [
    /\b(?:askUnless|askOnce|createAskOnce|findOut|atOnce|lostBecause|silenceAfter|putOff|puttingOff)\b/,
    'a verb phrase',
  ],
  [/\b(?:writtenAgain|wroteAgain|WRITTEN_AGAIN)\b/, 'retransmissions, retransmitted'],
  [/\b(?:ToldBy|FoundOut|HeardSoFar|NumberTaken|AnswerParts|Learnt|learntFrom|Hindrance|hindrances|Asker)\b/, 'a noun'],
  [
    /\b(?:withoutEnd|onceFor|visibleLines|SHUT_HEADERS)\b/,
    'trimEndOf, memoize, escapeControlInLines, NO_EMBED_HEADERS',
  ],
  [/\bJournal(?:Tables|Place|Seams|File|Disk|Trouble)\b|\bopenJournalFile\b/, 'Log...'],
  [/\b(?:Doubtful|doubtful\w*|UnheardClose|unheardClose|takeUnheardClose)\b/, 'unconfirmed, unreported'],
  [/\b(?:settleFirst|nobodyKnows|elementsStand|openPrints)\b/, 'reconcilePending, outcomeUnknownAfter, ...'],
  [
    /\b(?:heldUp|owedInPart|begunElsewhere|asAsked|completedInDoubt|atWork)\b/,
    'blockedByEarlier, partlyPaidNotClosed, ...',
  ],
  [/\bbeyond(?:Payment|Sale|Row|Subtotal|Password|Barcode|Receipt|Together)\b/, 'paymentViolations, ...'],
  [
    /\b(?:Blow|Victim|Strikes|hasStruck|MomentNotes|momentNotes|MomentView|Happening)\b/,
    'EffectContext, TimelineEntryView',
  ],
  [/\b(?:KeptForm|keptAs|KeptValue|toldOf|framesKept|FRAMES_KEPT)\b/, 'CompactEncoding, frameHistorySize'],
  [/\b(?:ToldOfFloor|[Ff]loorRow|createFloorPanel|Retelling|Untold)\b/, 'FleetNotice, FleetRow, DocumentExport'],
  [
    /\b(?:[Ll]astingDevice|lastingTarget|noteLooks|lookTitle|StoryStep|accountOf|judgeTold|UNTOLD_\w+)\b/,
    'PersistentDevice, ManualCheck, StepLogEntry',
  ],
  [/\b[Ss]tranger\b(?!'s)|\bStranger\w+|\bSTRANGER_\w+/, 'other program, OtherProgram'],
  [
    /\b(?:Lacking|lackingOf|takesBack|falseWords|saidBy|openStand|AskedSale|TOLD_\w+|keptCase|TwinSetup|HandOut)\b/,
    'a noun',
  ],
  [
    /\b(?:tellEvents|tellClosures|tellUnused|tellProgress|tellDocument|tellPart|hearFirst|heardAt|heardIn|keptIn|keptFor|storyOf)\b/,
    'forwardEvents, readClosures, receivedAt, storageIn, chaptersOf',
  ],
  [/\b(?:MomentLog|FloorHands|InHand|behindLines|saidLines|saidAgain|heardBefore|standingOf)\b/, 'a noun: Timeline'],
  [
    /(?<!\w)#(?:told|heard\w*|kept|tell\w*|hear|untold|begun|shown|known)\b(?!\]|-)/,
    'a verb, or a participle with its noun',
  ],
]

const GONE_FROM_COMMENTS: readonly RegExp[] = [
  /^What\b/,
  /^(?:Of|By|With|To|As|At|For|In|Behind|From)\b/,
  /^(?:The same|It|They|Those|That|This|One|Both|Each)\b/,
  /\b(?:nobody|somebody|anybody|everybody|whoever)\b/i,
  /\btell(?:s|ing)?\b|\btold\b/i,
  /\bbehind\b/i,
  /\bst(?:ands?|ood)\b/i,
  /\b(?:un)?hear(?:d|s)?\b/i,
  /\b(?:strikes?|struck)\b/i,
  /\bso (?:many|long|few|much)\b/i,
  /\b(?:be)?c[ao]mes? of\b/i,
  /\banew\b/i,
  /\bof (?:its|their|his) own\b/i,
]

/** Pages for readers do not use these turns of speech. Each turn has its replacement. */
const GONE_FROM_PAGES: readonly (readonly [turn: RegExp, instead: string])[] = [
  [/\bcontrol interface\b/i, 'control API, control panel'],
  [/\b(?:nobody|somebody|anybody|everybody|whoever)\b/i, 'the role, or the condition'],
  [/\b(?:told|tells?|struck|strikes?|anew|behind|beside)\b/i, 'report, trigger, again, after, next to'],
  [/\b(?:came|comes|became) of (?:it|them|this|that)\b|\bof ours\b/i, 'the outcome; the project'],
]
/** A sentence of a page has at most this many words. Lists of sources in the README are longer. */
const SENTENCE_MAX = 40

const sources = tsSources()
const documents = [
  ...globSync('server/docs/guide/*.md', { cwd: root }),
  'README.md',
  'SECURITY.md',
  'emulator/README.md',
  'scenarios/README.md',
].map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

describe('the texts of the project', () => {
  it.each(GONE)('do not contain %s; the word is %s', (word) => {
    const found = [...sources, ...documents].flatMap(({ file, text }) =>
      text.split('\n').flatMap((line, index) => (word.test(line) ? [`${file}:${index + 1}`] : [])),
    )
    expect(found).toEqual([])
  })

  const prose = documents.map(({ file, text }) => ({
    file,
    text: (text.split('\n## Sources')[0] ?? '').replace(/```[\s\S]*?```/g, ''),
  }))
  it.each(GONE_FROM_PAGES)('do not contain, on the pages, %s; the word is %s', (turn) => {
    const found = prose.flatMap(({ file, text }) =>
      text.split('\n').flatMap((line) => (turn.test(line) ? [`${file}: ${line}`] : [])),
    )
    expect(found).toEqual([])
  })

  it(`do not contain a sentence of more than ${SENTENCE_MAX} words on the pages`, () => {
    const long = prose.flatMap(({ file, text }) =>
      text
        .replace(/^(?:\||#|---).*$/gm, '')
        .split(/\n\s*\n|\n(?=- |\d+\. )/)
        .flatMap((paragraph) => paragraph.split(/(?<=[.!?:])\s+(?=[A-Z`*[(])/))
        .map((sentence) => sentence.trim().split(/\s+/))
        .filter((words) => words.length > SENTENCE_MAX)
        .map((words) => `${file}: ${words.join(' ')}`),
    )
    expect(long).toEqual([])
  })

  const comments = sources.flatMap(({ file, text }) =>
    commentsOf(text).map((comment) => [file, comment.trim()] as const),
  )
  it.each(GONE_FROM_COMMENTS)('do not contain, in comments, %s', (turn) => {
    expect(comments.filter(([, comment]) => turn.test(comment))).toEqual([])
  })
})
