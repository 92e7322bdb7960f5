/** Titles of tests use these verbs. A title with another verb adds it here. */
const VERBS = `
  accept add adjust advance aggregate agree align allow answer appear apply arrive ask assign balance become begin
  belong book break bring buffer build call cancel carry cause change charge check choose claim clean classify clear
  close collect combine come compare complete compose compute confirm connect contain continue control copy
  correct cost count cover create cut decide declare decode define deliver depend describe detect determine differ
  disappear discard disconnect distinguish double draw drop echo empty emulate encode end equal escape examine
  exceed execute exist exit expect expire explain export fail fill find finish fire fit follow forbid forget free
  gain garble get give go grow hang hide hold identify ignore imitate import include inform insert interrupt issue
  keep know lack last lead learn leave let limit link list listen load lock log look lose make mark match mean
  measure mention merge mix move name need negotiate note notice notify number obey observe occur offer omit open
  order pad park parse pass pause pay permit pick place plan play post press prevent print probe process produce prompt
  prove put query quote raise reach react read receive recognize reconcile reconnect record recover reduce refresh
  refuse register reject release remain remember remove rename renew repeat replace report represent reproduce
  request require reset resolve respond restart restore retransmit return reuse reveal reverse round run satisfy
  save say scan search sell send separate set settle share ship show shrink sign signal skip slow solve sort split
  start state stay stop store stream subtract succeed suffice sum support survive switch take test throw tolerate
  touch trace translate treat trigger try turn understand undo update use verify void wait warn watch work wrap
  write yield
`
const AUXILIARIES = 'is are was were has have had does do did can cannot may might must will would'

const FORMS: ReadonlySet<string> = new Set([
  ...AUXILIARIES.split(' '),
  ...VERBS.trim()
    .split(/\s+/)
    .flatMap((verb) => [verb, `${verb}s`, `${verb}es`, verb.replace(/y$/, 'ies')]),
])

/** Returns true if the text contains a form of a known verb. Nouns with the same letters count, too. */
export const hasVerb = (text: string): boolean =>
  (text.toLowerCase().match(/[a-z]+/g) ?? []).some((word) => FORMS.has(word))
