import { useId } from 'react'
import { useWords } from '../../words/words.ts'
import { CopyButton } from '../copy-button.tsx'
import { badgeWords } from './words.ts'
import './badge.css'

interface BadgeProps {
  /** Its path at this installation. */
  readonly picture: string
  /** Changes with what the picture shows, since browsers keep a picture of the same address. */
  readonly version?: string
  /** Where a click leads; null: nowhere. */
  readonly link: string | null
  /** Its text for those who do not see it. Default: that of any service, whose name is private. */
  readonly alt?: string
  /** The path of a document for a frame, with the frame's size in pixels. */
  readonly frame?: { readonly path: string; readonly width: number; readonly height: number }
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Text that ends no brackets of Markdown. */
const marked = (text: string) => text.replaceAll(/[\\[\]]/g, (character) => `\\${character}`)

/** A badge as others see it, and the texts that show it elsewhere. */
export function BadgeCode({ picture, version, link, alt: given, frame }: BadgeProps) {
  const words = useWords(badgeWords)
  const alt = given ?? words.alt
  const [address, target] = [picture, link].map((path) => (path === null ? null : new URL(path, location.href).href))
  const image = `![${marked(alt)}](${address})`
  const tag = `<img src="${escaped(address ?? '')}" alt="${escaped(alt)}">`
  return (
    <div className="badge-code">
      <figure>
        <figcaption className="label">{words.preview}</figcaption>
        <img src={version === undefined ? picture : `${picture}?${encodeURIComponent(version)}`} alt={alt} />
      </figure>
      <Code label={words.markdown} text={target === null ? image : `[${image}](${target})`} />
      <Code label={words.html} text={target === null ? tag : `<a href="${escaped(target ?? '')}">${tag}</a>`} />
      {frame === undefined ? null : <Code label={words.frame} text={frameTag(frame, alt)} />}
    </div>
  )
}

function frameTag({ path, width, height }: NonNullable<BadgeProps['frame']>, title: string): string {
  const { href } = new URL(path, location.href)
  return `<iframe src="${escaped(href)}" title="${escaped(title)}" width="${width}" height="${height}" style="border:0"></iframe>`
}

function Code({ label, text }: { readonly label: string; readonly text: string }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea id={id} readOnly rows={2} className="mono" value={text} onFocus={({ target }) => target.select()} />
      <div className="row">
        <CopyButton text={text} what={label} />
      </div>
    </div>
  )
}
