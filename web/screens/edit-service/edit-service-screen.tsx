import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import type { ServiceType } from '../../api/answers.ts'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useReader } from '../../reader.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { draftOf, emptyDraft } from './draft.ts'
import {
  type EditedService,
  formatsOf,
  type OfferedGroup,
  useEditedService,
  useGroups,
  useTypes,
} from './edit-queries.ts'
import { Fate } from './fate.tsx'
import { ServiceForm } from './service-form.tsx'
import { editWords } from './words.ts'
import './edit-service.css'

/** Adds a service, from nothing or like another one, or edits one. */
export function EditServiceScreen({ id }: { readonly id?: number }) {
  const words = useWords(editWords)
  const [search] = useSearchParams()
  const cloned = id === undefined && search.has('clone') ? Number(search.get('clone')) : null
  const source = useEditedService(id ?? cloned)
  const types = useTypes()
  const groups = useGroups()
  const title = id !== undefined ? words.titleEdit : cloned !== null ? words.titleClone : words.titleNew
  useEffect(() => showTitle(title), [title])
  const again = () => void Promise.all([source.refetch(), types.refetch(), groups.refetch()])
  const error = source.error ?? types.error ?? groups.error
  const needsSource = id !== undefined || cloned !== null
  const isReady = types.data !== undefined && groups.data !== undefined && (!needsSource || source.data !== undefined)
  return (
    <div className="edit-service stack">
      <h1>{title}</h1>
      {isReady ? (
        <Content
          key={`${id} ${cloned}`}
          edited={id === undefined ? null : (source.data ?? null)}
          cloned={cloned === null ? null : (source.data ?? null)}
          groupAsked={Number(search.get('group_id'))}
          types={types.data}
          groups={groups.data}
          again={again}
        />
      ) : error !== null ? (
        <Trouble error={error} again={again} />
      ) : (
        <Loading what={words.what} />
      )}
    </div>
  )
}

interface ContentProps {
  readonly edited: EditedService | null
  readonly cloned: EditedService | null
  readonly groupAsked: number
  readonly types: readonly ServiceType[]
  readonly groups: readonly OfferedGroup[]
  readonly again: () => void
}

function Content({ edited, cloned, groupAsked, types, groups, again }: ContentProps) {
  const words = useWords(editWords)
  const { account } = useReader()
  if (edited !== null) {
    const canUpdate = edited.permissions['update'] === true && !account.is_read_only
    // A service moves only between groups of its owner; its own group stays on offer.
    const offered = groups.filter(
      ({ id, owner_id, permissions }) =>
        id === edited.group_id || (owner_id === edited.owner_id && permissions['create_services'] === true),
    )
    return (
      <>
        {edited.is_archived ? <p>{words.archived}</p> : canUpdate ? null : <p role="alert">{words.forbiddenEdit}</p>}
        {canUpdate && !edited.is_archived ? (
          <ServiceForm
            id={edited.id}
            types={types}
            groups={offered}
            initial={draftOf(edited, formatsOf(types, edited.type_id))}
          />
        ) : null}
        <Fate service={edited} again={again} />
      </>
    )
  }
  const offered = groups.filter(({ permissions }) => permissions['create_services'] === true)
  const usual =
    offered.find(({ id }) => id === (groupAsked || cloned?.group_id)) ??
    offered.find(({ is_default, owner_id }) => is_default && owner_id === account.id) ??
    offered[0]
  if (account.is_read_only || usual === undefined) return <p role="alert">{words.forbiddenNew}</p>
  const like = cloned === null ? emptyDraft : draftOf(cloned, formatsOf(types, cloned.type_id))
  return (
    <ServiceForm
      id={null}
      types={types}
      groups={offered}
      initial={{ ...like, group_id: usual.id }}
      isClone={cloned !== null}
    />
  )
}
