import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import './listing.css'

interface SectionsProps {
  readonly label: string
  readonly sections: readonly { readonly path: string; readonly name: string }[]
  readonly children: ReactNode
}

/** A screen of several sections: the list of them, and the one that is open. */
export function Sections({ label, sections, children }: SectionsProps) {
  const [place] = useLocation()
  return (
    <div className="sides">
      <nav aria-label={label}>
        <ul>
          {sections.map(({ path, name }) => (
            <li key={path}>
              <Link
                href={path}
                aria-current={
                  place === path || (place.startsWith(`${path}/`) && path.split('/').length > 2) ? 'page' : undefined
                }
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="stack">{children}</div>
    </div>
  )
}
