import { useEffect, useState } from 'preact/hooks'

export function useMedia(query: string): boolean {
  const [fits, setFits] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const look = () => setFits(media.matches)
    media.addEventListener('change', look)
    return () => media.removeEventListener('change', look)
  }, [query])
  return fits
}
