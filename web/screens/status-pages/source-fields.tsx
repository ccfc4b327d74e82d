import { ChoiceField } from '../../parts/fields.tsx'
import { useWords } from '../../words/words.ts'
import { useNamed, useServiceChoices } from './queries.ts'
import { kinds, ofKind, type Source, statuses } from './sources.ts'
import { statusPageWords } from './words.ts'

interface SourceProps {
  readonly source: Source
  readonly set: (source: Source, name: string) => void
}

/** Chooses a kind of object, such as a group, and the one of that kind that the component shows. */
export function SourceFields({ source, set }: SourceProps) {
  const words = useWords(statusPageWords)
  return (
    <>
      <ChoiceField
        label={words.shows}
        name="kind"
        value={source.kind}
        options={kinds.map((id) => ({ id, name: words.kinds[id] }))}
        set={(wanted) => set(ofKind(kinds.find((kind) => kind === wanted) ?? 'heading'), '')}
      />
      <Chosen source={source} set={set} />
    </>
  )
}

const nameOf = (things: ReturnType<typeof useNamed>, chosen: string) =>
  things.find(({ id }) => String(id) === chosen)?.name ?? ''

const unchosen = { id: '', name: '–' }

function Chosen({ source, set }: SourceProps) {
  const words = useWords(statusPageWords)
  const [services, groups, tags] = [useServiceChoices(), useNamed('groups'), useNamed('tags')]
  const numberOf = (text: string) => (text === '' ? null : Number(text))
  switch (source.kind) {
    case 'service':
      return (
        <ChoiceField
          label={words.service}
          name="service_id"
          value={String(source.service_id ?? '')}
          options={[unchosen, ...services.map(({ id, shown }) => ({ id, name: shown }))]}
          set={(id) => set({ ...source, service_id: numberOf(id) }, nameOf(services, id))}
        />
      )
    case 'group':
      return (
        <ChoiceField
          label={words.group}
          name="group_id"
          value={String(source.group_id ?? '')}
          options={[unchosen, ...groups]}
          set={(id) => set({ ...source, group_id: numberOf(id) }, nameOf(groups, id))}
        />
      )
    case 'tag':
      return (
        <ChoiceField
          label={words.tag}
          name="tag"
          value={source.tag ?? ''}
          options={[unchosen, ...tags.map(({ name }) => ({ id: name, name }))]}
          set={(tag) => set({ ...source, tag: tag === '' ? null : tag }, tag)}
        />
      )
    case 'status':
      return (
        <ChoiceField
          label={words.status}
          name="status"
          value={source.status ?? 'operational'}
          options={statuses.map((id) => ({ id, name: words.statuses[id] }))}
          set={(wanted) =>
            set({ ...source, status: statuses.find((status) => status === wanted) ?? 'operational' }, '')
          }
        />
      )
    case 'heading':
      return null
  }
}
