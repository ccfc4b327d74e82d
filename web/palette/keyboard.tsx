import { lazy, Suspense, useCallback, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { useNarrow } from '../parts/use-narrow.ts'
import { useWords } from '../words/words.ts'
import { type Opened, useShortcuts } from './use-shortcuts.ts'
import { paletteWords } from './words.ts'

const Palette = lazy(() => import('./palette.tsx').then((file) => ({ default: file.Palette })))
const ShortcutHelp = lazy(() => import('./help.tsx').then((file) => ({ default: file.ShortcutHelp })))

/** The button of the palette, the palette, the help, and the keys that open them. */
export function Keyboard() {
  const words = useWords(paletteWords)
  const [opened, setOpened] = useState<Opened | null>(null)
  useShortcuts(setOpened)
  const isNarrow = useNarrow()
  // Each closes itself alone: the palette may have opened the help.
  const closePalette = useCallback(() => setOpened((now) => (now === 'palette' ? null : now)), [])
  const closeHelp = useCallback(() => setOpened((now) => (now === 'help' ? null : now)), [])
  return (
    <>
      <button
        type="button"
        className="open-palette button"
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        aria-label={isNarrow ? words.open : undefined}
        onClick={() => setOpened('palette')}
      >
        <Icon name="search" />
        <span>{words.open}</span>
      </button>
      <Suspense>
        {opened === 'palette' ? <Palette close={closePalette} open={setOpened} /> : null}
        {opened === 'help' ? <ShortcutHelp close={closeHelp} /> : null}
      </Suspense>
    </>
  )
}
