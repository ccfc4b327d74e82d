import { useEffect, useRef } from 'react'
import { partWords } from '../parts/words.ts'
import { useReader } from '../reader.tsx'
import { useSections } from '../shell/use-sections.ts'
import { shellWords } from '../shell/words.ts'
import { useWords } from '../words/words.ts'
import { paletteWords } from './words.ts'
import './palette.css'

/** All keys, and the switch that turns single ones off (WCAG 2.1.4). */
export function ShortcutHelp({ close }: { readonly close: () => void }) {
  const words = useWords(paletteWords)
  const parts = useWords(partWords)
  const names = useWords(shellWords)
  const { preferences, choose, isAdministrator } = useReader()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const single: readonly (readonly [string, string])[] = [
    ['/', words.help.search],
    ['j', words.help.next],
    ['k', words.help.previous],
    ['x', words.help.select],
    ['n', isAdministrator ? words.help.addHere : words.help.add],
    ['?', words.help.help],
  ]
  return (
    <dialog ref={dialog} className="shortcut-help" aria-labelledby="shortcut-help" onClose={close}>
      <div className="inside">
        <h2 id="shortcut-help">{words.keys}</h2>
        <dl>
          <dt>
            <kbd>Ctrl K</kbd> {words.help.or} <kbd>⌘ K</kbd>
          </dt>
          <dd>{words.help.palette}</dd>
          {single.map(([key, text]) => (
            <div key={key} className={preferences.shortcuts ? undefined : 'dim'}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
          {useSections().map(({ name, key }) => (
            <div key={name} className={preferences.shortcuts ? undefined : 'dim'}>
              <dt>
                <kbd>g</kbd> {words.help.followedBy} <kbd>{key}</kbd>
              </dt>
              <dd>{words.help.go(names[name])}</dd>
            </div>
          ))}
        </dl>
        <label className="row">
          <input
            type="checkbox"
            checked={preferences.shortcuts}
            onChange={({ target }) => choose({ shortcuts: target.checked })}
          />
          {words.single}
        </label>
        <p className="hint">{words.singleHint}</p>
      </div>
      <form method="dialog">
        <button type="submit" className="button">
          {parts.close}
        </button>
      </form>
    </dialog>
  )
}
