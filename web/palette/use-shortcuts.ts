import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { useReader } from '../reader.tsx'
import type { Section } from '../shell/sections.ts'
import { useSections } from '../shell/use-sections.ts'

export type Opened = 'palette' | 'help'

/** After `g` the next letter names a section for so long. Milliseconds. */
const patience = 1500

/** The keys of the console: Ctrl or ⌘ K always, single letters unless the reader has switched them off. */
export function useShortcuts(open: (what: Opened) => void): void {
  const { preferences } = useReader()
  const [, navigate] = useLocation()
  const sections = useSections()
  const wentAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const { key } = event
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && key.toLowerCase() === 'k') {
        event.preventDefault()
        open('palette')
        return
      }
      if (!preferences.shortcuts || isElsewhere(event)) return
      const goes = performance.now() - wentAt.current < patience
      wentAt.current = key === 'g' && !goes ? performance.now() : Number.NEGATIVE_INFINITY
      const section = goes ? sections.find((one) => one.key === key) : undefined
      if (section !== undefined) {
        event.preventDefault()
        navigate(section.path)
      } else if (!goes && act(key, sections, open, navigate)) event.preventDefault()
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [preferences.shortcuts, sections, navigate, open])
}

/** Whether the key belongs to a field, a dialog or the browser. */
function isElsewhere({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented || !(target instanceof Element)) return true
  const isTyping = target.matches('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]')
  return isTyping || document.querySelector('dialog:modal') !== null
}

/** Does what a single key stands for; false where it stands for nothing. */
function act(
  key: string,
  sections: readonly Section[],
  open: (what: Opened) => void,
  navigate: (path: string) => void,
): boolean {
  switch (key) {
    case '?':
      open('help')
      return true
    case '/':
      return focusOn(document.querySelector('[data-shortcut="/"]'))
    case 'n': {
      if (clickOn(document.querySelector('[data-shortcut="n"]'))) return true
      // Administrators have no services.
      if (!sections.some(({ path }) => path === '/services')) return false
      navigate('/services/new')
      return true
    }
    case 'j':
      return focusOn(rowBeside(1))
    case 'k':
      return focusOn(rowBeside(-1))
    case 'x':
      return clickOn(currentRow()?.querySelector('input[type=checkbox]'))
    default:
      return false
  }
}

function focusOn(element: Element | null | undefined): boolean {
  if (!(element instanceof HTMLElement)) return false
  element.focus()
  return true
}

function clickOn(element: Element | null | undefined): boolean {
  if (!(element instanceof HTMLElement)) return false
  element.click()
  return true
}

/** Rows of lists carry `data-row`; their first link has the focus. */
function currentRow(): Element | null {
  return document.activeElement?.closest('[data-row]') ?? null
}

function rowBeside(step: 1 | -1): Element | null | undefined {
  const rows = [...document.querySelectorAll('[data-row]')].filter((row) => row.querySelector('a') !== null)
  const current = currentRow()
  const at = current === null ? (step === 1 ? -1 : rows.length) : rows.indexOf(current)
  return rows[at + step]?.querySelector('a')
}
