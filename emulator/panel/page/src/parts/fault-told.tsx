import { call } from '../api.ts'
import { useStore } from '../store.ts'
import { useAnswer } from './answer.ts'
import { storyOf } from './fault-story.ts'

/** `fromEnd`: so many other strikes came later. */
export function FaultStory({ fromEnd }: { readonly fromEnd: number }) {
  const frames = useStore((state) => state.frames)
  // What comes of it is told as it comes.
  const moments = useAnswer(() => call('GET /emulator/timeline'), String(frames.at(-1)?.id))
  if (!moments) return null
  const chapters = storyOf(moments, frames, fromEnd)
  if (chapters.length === 0) return <p class="empty">What happened then is no longer kept.</p>
  return (
    <ol class="fault-story">
      {chapters.map(({ id, at, sentences, isStrike }) => (
        <li key={id} class={isStrike ? 'strike' : undefined}>
          <a href={`#/timeline/${id}`}>{at.slice(11, 23)}</a>
          <span>{sentences.join(' ')}</span>
        </li>
      ))}
    </ol>
  )
}
