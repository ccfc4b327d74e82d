import { type ReactNode, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { prefix } from '../api/prefix.ts'
import { logOut } from '../api/session.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { Logo } from '../parts/logo.tsx'
import { useReader } from '../reader.tsx'
import { useWords } from '../words/words.ts'
import { ConnectionNotice } from './connection-notice.tsx'
import { useFailingCount } from './failing-count.ts'
import { shellWords } from './words.ts'
import './shell.css'

const sections = [
  { path: '/services', name: 'services', icon: 'list' },
  { path: '/calendar', name: 'calendar', icon: 'suspended' },
  { path: '/reports', name: 'reports', icon: 'report' },
  { path: '/wallboards', name: 'wallboards', icon: 'wall' },
  { path: '/notifications', name: 'notifications', icon: 'bell' },
  { path: '/stations', name: 'stations', icon: 'station' },
  { path: '/account', name: 'account', icon: 'person' },
] as const satisfies readonly { readonly path: string; readonly name: string; readonly icon: IconName }[]

/** What surrounds every screen: the way to the sections, who is logged in, what is failing. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const words = useWords(shellWords)
  const content = useRef<HTMLElement>(null)
  return (
    <div className="shell">
      <button type="button" className="skip button" onClick={() => content.current?.focus()}>
        {words.skip}
      </button>
      <Navigation />
      <main ref={content} tabIndex={-1} id="content">
        <ConnectionNotice />
        {children}
      </main>
    </div>
  )
}

function Navigation() {
  const words = useWords(shellWords)
  const [path] = useLocation()
  const { account } = useReader()
  const failing = useFailingCount()
  return (
    <header className="navigation">
      <Link href="/services" className="brand">
        <Logo />
        Latarnik
      </Link>
      <nav aria-label={words.navigation}>
        <ul>
          {sections.map(({ path: to, name, icon }) => {
            const isHere = path.startsWith(to) || (path === '/' && to === '/services')
            return (
              <li key={to}>
                <Link href={to} aria-current={isHere ? 'page' : undefined}>
                  <Icon name={icon} />
                  <span>{words[name]}</span>
                  {to === '/services' && failing > 0 ? (
                    <span className="failing-count">
                      {failing}
                      <span className="only-read"> {words.failing(failing)}</span>
                    </span>
                  ) : null}
                </Link>
              </li>
            )
          })}
        </ul>
      </nav>
      <div className="who">
        <p title={account.username}>
          {account.name || account.username}
          {account.is_read_only ? <span className="hint">{words.readOnly}</span> : null}
        </p>
        <a href={`${prefix}/v3/public/doc/`}>{words.documentation}</a>
        <button type="button" className="button plain small" onClick={() => void logOut()}>
          <Icon name="leave" />
          {words.logOut}
        </button>
      </div>
    </header>
  )
}
