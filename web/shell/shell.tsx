import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { prefix } from '../api/prefix.ts'
import { logOut } from '../api/session.ts'
import { HelpLink } from '../help/help-link.tsx'
import { whenLeft } from '../leaving/unsaved.ts'
import { LiveUpdates } from '../live/live-updates.tsx'
import { Keyboard } from '../palette/keyboard.tsx'
import { Icon } from '../parts/icon.tsx'
import { Logo } from '../parts/logo.tsx'
import { useNarrow } from '../parts/use-narrow.ts'
import { useReader } from '../reader.tsx'
import { useWords } from '../words/words.ts'
import { ConnectionNotice } from './connection-notice.tsx'
import { useFailingCount } from './failing-count.ts'
import type { Section } from './sections.ts'
import { useArrival } from './use-arrival.ts'
import { useSections } from './use-sections.ts'
import { shellWords } from './words.ts'
import { ZoneNotice } from './zone-notice.tsx'
import './shell.css'

/** The frame of every screen: the sections, the logged-in user, the failing services. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const words = useWords(shellWords)
  const content = useRef<HTMLElement>(null)
  const [place] = useLocation()
  useArrival(place)
  useEffect(() => {
    void import('./keep-focus.ts').then(({ keepFocus }) => content.current === null || keepFocus(content.current))
  }, [])
  return (
    <div className="shell">
      <button type="button" className="skip button" onClick={() => content.current?.focus()}>
        {words.skip}
      </button>
      <Navigation />
      <main ref={content} tabIndex={-1} id="content">
        <ConnectionNotice />
        <ZoneNotice />
        <LiveUpdates />
        {children}
      </main>
    </div>
  )
}

/** More do not fit side by side on a phone. */
const mostOnBar = 5

function SectionLink({ section: { path: to, name, icon } }: { readonly section: Section }) {
  const words = useWords(shellWords)
  const [path] = useLocation()
  const isHere = path.startsWith(to) || (path === '/' && to === '/services')
  return (
    <Link
      href={to}
      aria-current={isHere ? 'page' : undefined}
      onClick={() => document.getElementById('more-sections')?.hidePopover()}
    >
      <Icon name={icon} />
      <span>{words[name]}</span>
      {to === '/services' ? <FailingCount /> : null}
    </Link>
  )
}

function FailingCount() {
  const words = useWords(shellWords)
  const failing = useFailingCount()
  if (failing === 0) return null
  return (
    <span className="failing-count">
      {failing}
      <span className="only-read"> {words.failing(failing)}</span>
    </span>
  )
}

function Navigation() {
  const words = useWords(shellWords)
  const [path] = useLocation()
  const { account } = useReader()
  const sections = useSections()
  const isNarrow = useNarrow()
  const onBar = isNarrow && sections.length > mostOnBar ? sections.slice(0, mostOnBar - 1) : sections
  const behind = sections.slice(onBar.length)
  const isBehind = behind.some(({ path: to }) => path.startsWith(to))
  return (
    <header className="navigation">
      <Link href="/services" className="brand">
        <Logo />
        Latarnik
      </Link>
      <Keyboard />
      <nav aria-label={words.navigation}>
        <ul>
          {onBar.map((section) => (
            <li key={section.path}>
              <SectionLink section={section} />
            </li>
          ))}
          {behind.length === 0 ? null : (
            <li>
              <button type="button" popoverTarget="more-sections" aria-current={isBehind ? 'page' : undefined}>
                <Icon name="more" />
                <span>{words.more}</span>
              </button>
              <div id="more-sections" popover="auto">
                {behind.map((section) => (
                  <SectionLink key={section.path} section={section} />
                ))}
              </div>
            </li>
          )}
        </ul>
      </nav>
      <div className="who">
        <p title={account.username}>
          {account.name || account.username}
          {account.is_read_only ? <span className="hint">{words.readOnly}</span> : null}
        </p>
        <HelpLink />
        <a href={`${prefix}/v3/public/doc/`}>{words.documentation}</a>
        <button type="button" className="button plain small" onClick={() => void whenLeft(logOut)}>
          <Icon name="leave" />
          {words.logOut}
        </button>
      </div>
    </header>
  )
}
