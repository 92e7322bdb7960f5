import { useEffect, useState } from 'preact/hooks'

/** What the mechanism sounds like, made of noise and tones. It is silent until somebody wants to hear it. */

const KEPT_AS = 'fiscal-rig sound'

let context: AudioContext | undefined
let noise: AudioBuffer | undefined
let isWanted = readWanted()

function readWanted(): boolean {
  try {
    return localStorage.getItem(KEPT_AS) === 'on'
  } catch {
    // A browser that keeps nothing.
    return false
  }
}

/** Whether it is heard, and the switch of it, which is remembered. */
export function useSound(): readonly [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(isWanted)
  // Browsers let a page be heard after somebody has touched it.
  useEffect(() => {
    if (!on) return undefined
    const wake = () => void contextNow().resume()
    addEventListener('pointerdown', wake)
    addEventListener('keydown', wake)
    return () => {
      removeEventListener('pointerdown', wake)
      removeEventListener('keydown', wake)
    }
  }, [on])
  const change = (isOn: boolean) => {
    isWanted = isOn
    setOn(isOn)
    try {
      localStorage.setItem(KEPT_AS, isOn ? 'on' : 'off')
    } catch {
      // As above: then it is so until the page is closed.
    }
    if (isOn) void contextNow().resume()
    else void context?.suspend()
  }
  return [on, change]
}

function contextNow(): AudioContext {
  context ??= new AudioContext()
  return context
}

/** Half a second of it, for all bursts. */
function noiseOf(own: AudioContext): AudioBuffer {
  if (noise) return noise
  noise = own.createBuffer(1, own.sampleRate / 2, own.sampleRate)
  const samples = noise.getChannelData(0)
  let seed = 1
  for (let index = 0; index < samples.length; index++) {
    seed = (seed * 48_271) % 2_147_483_647
    samples[index] = seed / 1_073_741_823.5 - 1
  }
  return noise
}

interface Burst {
  readonly afterS?: number
  readonly lengthS: number
  readonly volume: number
  /** Middle of what is let through, in Hz. */
  readonly pitch: number
  readonly sharpness: number
}

function burst({ afterS = 0, lengthS, volume, pitch, sharpness }: Burst): void {
  const own = contextNow()
  const at = own.currentTime + afterS
  const source = own.createBufferSource()
  const filter = own.createBiquadFilter()
  source.buffer = noiseOf(own)
  filter.type = 'bandpass'
  filter.frequency.value = pitch
  filter.Q.value = sharpness
  source
    .connect(filter)
    .connect(fading(own, at, lengthS, volume))
    .connect(own.destination)
  source.start(at, 0, lengthS)
}

function tone(pitch: number, form: OscillatorType, lengthS: number, volume: number, afterS = 0): void {
  const own = contextNow()
  const at = own.currentTime + afterS
  const source = own.createOscillator()
  source.type = form
  source.frequency.value = pitch
  source.connect(fading(own, at, lengthS, volume)).connect(own.destination)
  source.start(at)
  source.stop(at + lengthS)
}

function fading(own: AudioContext, at: number, lengthS: number, volume: number): GainNode {
  const gain = own.createGain()
  gain.gain.setValueAtTime(volume, at)
  gain.gain.exponentialRampToValueAtTime(0.0001, at + lengthS)
  return gain
}

const isHeard = (): boolean => isWanted && !document.hidden

/** The head burns a line while the motor moves the paper on. */
export function soundOfLine(): void {
  if (!isHeard()) return
  tone(310, 'square', 0.03, 0.012)
  burst({ lengthS: 0.035, volume: 0.05, pitch: 2600, sharpness: 1.2 })
}

/** The knife goes over and comes back. */
export function soundOfCutter(): void {
  if (!isHeard()) return
  for (const [afterS, pitch] of [[0, 3800], [0.09, 2900]] as const) // biome-ignore format: two strokes
    burst({ afterS, lengthS: 0.06, volume: 0.16, pitch, sharpness: 3 })
  tone(140, 'sawtooth', 0.16, 0.03)
}

/** The latch springs, the drawer runs out and stops with the coins in it. */
export function soundOfDrawer(): void {
  if (!isHeard()) return
  burst({ lengthS: 0.03, volume: 0.3, pitch: 900, sharpness: 2 })
  burst({ afterS: 0.05, lengthS: 0.22, volume: 0.06, pitch: 420, sharpness: 0.8 })
  burst({ afterS: 0.26, lengthS: 0.08, volume: 0.25, pitch: 240, sharpness: 1.5 })
  for (const [afterS, pitch] of [[0.27, 3100], [0.31, 4200], [0.36, 3600]] as const) // biome-ignore format: coins
    tone(pitch, 'triangle', 0.12, 0.02, afterS)
}
