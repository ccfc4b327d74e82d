import { useId } from 'react'
import { useWords } from '../../words/words.ts'
import { CopyButton } from '../copy-button.tsx'
import { badgeWords } from './words.ts'
import './badge.css'

interface BadgeProps {
  /** Its path at this installation. */
  readonly picture: string
  /** Where a click leads; null: nowhere. */
  readonly link: string | null
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** A badge as others see it, and the texts that show it elsewhere. */
export function BadgeCode({ picture, link }: BadgeProps) {
  const words = useWords(badgeWords)
  // The name of a service is private.
  const { alt } = words
  const [address, target] = [picture, link].map((path) => (path === null ? null : new URL(path, location.href).href))
  const image = `![${alt}](${address})`
  const tag = `<img src="${escaped(address ?? '')}" alt="${escaped(alt)}">`
  return (
    <div className="badge-code">
      <figure>
        <figcaption className="label">{words.preview}</figcaption>
        <img src={picture} alt={alt} />
      </figure>
      <Code label={words.markdown} text={target === null ? image : `[${image}](${target})`} />
      <Code label={words.html} text={target === null ? tag : `<a href="${escaped(target ?? '')}">${tag}</a>`} />
    </div>
  )
}

function Code({ label, text }: { readonly label: string; readonly text: string }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea id={id} readOnly rows={2} className="mono" value={text} onFocus={({ target }) => target.select()} />
      <div className="row">
        <CopyButton text={text} />
      </div>
    </div>
  )
}
