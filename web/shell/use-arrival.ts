import { useEffect, useRef } from 'react'

/** From then on the reader decides where the focus is. */
const touches = ['keydown', 'pointerdown'] as const

/** A screen that has no heading by then has shown why. Milliseconds. */
const patience = 10_000

/**
 * Focuses the heading of a new screen if the focus was lost with the old one, in a link or form that is gone. An
 * element of the new screen or of the sections keeps the focus.
 */
export function useArrival(place: string): void {
  const before = useRef(place)
  useEffect(() => {
    if (before.current === place) return
    before.current = place
    const isLost = () => document.activeElement === null || document.activeElement === document.body
    const look = () => {
      const heading = document.querySelector<HTMLElement>('#content h1')
      if (heading === null || !isLost()) return
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(look)
    const timer = setTimeout(end, patience)
    function end() {
      observer.disconnect()
      clearTimeout(timer)
      for (const touch of touches) removeEventListener(touch, end, true)
    }
    for (const touch of touches) addEventListener(touch, end, true)
    // A heading may be drawn once more when what it names has been read.
    observer.observe(document.body, { childList: true, subtree: true })
    // After the fields of the screen had their turn.
    const frame = requestAnimationFrame(look)
    return () => {
      cancelAnimationFrame(frame)
      end()
    }
  }, [place])
}
