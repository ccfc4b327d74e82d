import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Artifact } from '../../api/answers.ts'
import { send } from '../../api/client.ts'
import type { ShownCheck } from '../../parts/round-checks.ts'
import { Trouble } from '../../parts/trouble.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { checkPath } from './use-failure.ts'
import { failureWords } from './words.ts'

interface ArtifactProps {
  readonly check: ShownCheck
  readonly artifact: Artifact
}

/** Characters of a content that are shown; the whole is a download. */
const shownCharacters = 200_000
const contextCharacters = 120
const shownPlaces = 50

async function bytesOf(check: ShownCheck, id: Artifact['id'], signal?: AbortSignal): Promise<Blob> {
  return (await send(`${checkPath(check)}/artifacts/${id}/plain`, { signal })).blob()
}

export function useArtifact(check: ShownCheck, id: Artifact['id'], isWanted = true) {
  return useQuery({
    queryKey: ['artifact', checkPath(check), id],
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => bytesOf(check, id, signal),
  })
}

/** An address of bytes in memory; it ends with the part that shows it. */
export function useAddress(bytes: Blob | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (bytes === undefined) return
    const made = URL.createObjectURL(bytes)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [bytes])
  return address
}

export function Download({ check, artifact }: ArtifactProps) {
  const words = useWords(failureWords)
  const format = useFormat()
  const save = async () => {
    const address = URL.createObjectURL(await bytesOf(check, artifact.id))
    const link = document.createElement('a')
    link.href = address
    link.download = artifact.file_name
    link.click()
    setTimeout(() => URL.revokeObjectURL(address), 10_000)
  }
  return (
    <button type="button" className="button small" onClick={() => void save()}>
      {words.download} ({format.bytes(artifact.size)})
    </button>
  )
}

/** The target's content, as text and never as a page; with a search if it is long. */
export function Content({ check, artifact }: ArtifactProps) {
  const words = useWords(failureWords)
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const { data, error, refetch } = useArtifact(check, artifact.id, isOpen)
  const [text, setText] = useState<string | null>(null)
  const [wanted, setWanted] = useState('')
  useEffect(() => {
    void data?.text().then(setText)
  }, [data])
  const places = useMemo(() => (text === null ? [] : placesOf(text, wanted)), [text, wanted])
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {words.content}{' '}
        <span className="hint">
          {format.bytes(artifact.size)}, {artifact.content_type}
        </span>
      </summary>
      {error === null ? null : <Trouble error={error} again={() => void refetch()} />}
      {text === null ? null : (
        <div className="stack content">
          <div className="row">
            <input
              type="search"
              aria-label={words.search}
              placeholder={words.search}
              value={wanted}
              onChange={({ target }) => setWanted(target.value)}
            />
            <span role="status" className="hint">
              {wanted === '' ? '' : words.found(places.length)}
            </span>
            <Download check={check} artifact={artifact} />
          </div>
          {wanted === '' ? (
            <pre className="text">{text.slice(0, shownCharacters)}</pre>
          ) : (
            places.slice(0, shownPlaces).map((at) => (
              <pre key={at} className="text">
                {text.slice(Math.max(0, at - contextCharacters), at)}
                <mark>{text.slice(at, at + wanted.length)}</mark>
                {text.slice(at + wanted.length, at + wanted.length + contextCharacters)}
              </pre>
            ))
          )}
          {artifact.is_truncated || text.length > shownCharacters ? <p className="hint">{words.cut}</p> : null}
        </div>
      )}
    </details>
  )
}

/** Where a text stands, without regard to case. */
function placesOf(text: string, wanted: string): readonly number[] {
  if (wanted === '') return []
  const [inside, sought] = [text.toLowerCase(), wanted.toLowerCase()]
  const places: number[] = []
  for (
    let at = inside.indexOf(sought);
    at !== -1 && places.length < 1000;
    at = inside.indexOf(sought, at + sought.length)
  )
    places.push(at)
  return places
}
