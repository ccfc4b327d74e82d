import { prefix } from '../api/prefix.ts'

const documentPath = /(\/docs\/[\w/-]+\.html)/

/** A text of the API that may name documents (`/docs/templates.html`), each as a link. */
export function WithLinks({ text }: { readonly text: string }) {
  return text.split(documentPath).map((part, index) =>
    // The odd parts are the paths.
    index % 2 === 0 ? (
      part
    ) : (
      <a key={part} href={prefix + part} target="_blank" rel="noopener">
        {part}
      </a>
    ),
  )
}
