import { call } from '../api.ts'
import { SLOW_LINE, yamlOf } from '../fault-demos.ts'
import { rulesFollow } from '../live-updates.ts'
import { Card } from '../parts/basic-components.tsx'
import { startAction, useStore } from '../store.ts'

/** Presets for the speed of line and mechanism as in a shop. By default, both take no time. */
export function SpeedPresets() {
  const rules = useStore((state) => state.rules)
  const lineMs = useStore((state) => state.device?.lineMs)
  const activeRules = SLOW_LINE.rules.map((preset) => rules.find((rule) => yamlOf(rule) === yamlOf(preset)))
  const isSlow = activeRules.every((rule) => rule !== undefined)
  const isRealistic = lineMs !== null && lineMs !== undefined
  const setSlow = (on: boolean) =>
    startAction(async () => {
      for (const rule of activeRules) if (rule) await call('DELETE /emulator/faults/{id}', { params: { id: rule.id } })
      if (on) await call('POST /emulator/faults', { body: SLOW_LINE.rules })
      rulesFollow()
      return on ? 'The line is slow now.' : 'The line takes no time.'
    })
  const setRealistic = (realistic: boolean) =>
    startAction(async () => {
      await call('POST /emulator/mechanism', { body: { realistic } })
      return realistic ? 'Printing takes its time now.' : 'Printing takes no time.'
    })
  return (
    <Card title="Presets" class="presets">
      <Preset title={SLOW_LINE.title} text={SLOW_LINE.text} isOn={isSlow} onChange={setSlow} />
      <Preset
        title="A realistic mechanism"
        text={`Prints line by line, ${isRealistic ? `${lineMs} ms each` : 'as on a real device'}, and sends busy responses while it prints.`}
        isOn={isRealistic}
        onChange={setRealistic}
      />
    </Card>
  )
}

function Preset(props: {
  readonly title: string
  readonly text: string
  readonly isOn: boolean
  readonly onChange: (on: boolean) => void
}) {
  const { title, text, isOn, onChange } = props
  return (
    <div class="preset">
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
      </div>
      <button type="button" role="switch" aria-checked={isOn} aria-label={title} onClick={() => onChange(!isOn)}>
        {isOn ? 'On' : 'Off'}
      </button>
    </div>
  )
}
