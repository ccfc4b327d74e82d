import { useState } from 'react'
import type { StatusPageComponent } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { EditDialog } from '../../parts/edit-dialog.tsx'
import { CheckField, ChoiceField, TextField } from '../../parts/fields.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Things } from '../../parts/things.tsx'
import { useChange } from '../../parts/use-change.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { type ShownComponent, type ShownPage, useNamed } from './queries.ts'
import { SourceFields } from './source-fields.tsx'
import { kindOf, sourceOf } from './sources.ts'
import { statusPageWords } from './words.ts'

interface ComponentsProps {
  readonly page: ShownPage
  readonly components: readonly ShownComponent[]
}

/** In the order of the page: each heading before its parts. */
function ordered(components: readonly ShownComponent[]): readonly ShownComponent[] {
  const below = (parent: number | null) => components.filter(({ parent_id: id }) => id === parent)
  return below(null).flatMap((one) => [one, ...below(one.id)])
}

export function Components({ page, components }: ComponentsProps) {
  const words = useWords(statusPageWords)
  return (
    <Things
      id="components"
      title={words.components}
      add={words.addComponent}
      collection="/status_page_components"
      things={ordered(components)}
      empty={
        <>
          <b>{words.noComponents}</b>
          <p>{words.noComponentsText}</p>
        </>
      }
      show={(component) => <Shown {...{ page, component, components }} />}
      more={(component) => (
        <>
          <Confirmation component={component} />
          <Movers component={component} components={components} />
        </>
      )}
      form={(component, closed) => <ComponentForm {...{ page, component, components, closed }} />}
      removeText={words.removeComponent}
    />
  )
}

interface OneProps {
  readonly component: ShownComponent
  readonly components: readonly ShownComponent[]
}

function Shown({ page, component, components }: OneProps & Pick<ComponentsProps, 'page'>) {
  const words = useWords(statusPageWords)
  const format = useFormat()
  const services = useNamed('services')
  const parent = components.find(({ id }) => id === component.parent_id)
  const { service_id: service, status, tag, unconfirmed_since: failsSince } = component
  const delay = page.publish_after_seconds
  const detail =
    service === null
      ? status === null
        ? tag
        : words.statuses[status]
      : services.find(({ id }) => id === service)?.name
  const shows = [words.kinds[kindOf(component)], ...(detail == null ? [] : [detail])].join(': ')
  return (
    <>
      <b>{parent === undefined ? component.name : `${parent.name} › ${component.name}`}</b>
      <span className="dim">{shows}</span>
      {failsSince === null ? null : (
        <span>
          {words.failsUnshown(
            format.moment(failsSince),
            format.moment(new Date(Date.parse(failsSince) + delay * 1000).toISOString()),
            delay,
          )}
        </span>
      )}
    </>
  )
}

/** The page need not wait to show a failure that a person confirms. */
function Confirmation({ component }: Pick<OneProps, 'component'>) {
  const words = useWords(statusPageWords)
  const confirming = useChange()
  const { id, name, permissions, unconfirmed_since: since } = component
  if (since === null || permissions['update'] !== true) return null
  return (
    <button
      type="button"
      className="button small primary"
      aria-label={words.showNowNamed(name)}
      disabled={confirming.isPending}
      onClick={() => confirming.mutate(callTo('POST', `/status_page_components/${id}/confirm`))}
    >
      {words.showNow}
    </button>
  )
}

/** Buttons that exchange a component with its neighbour. */
function Movers({ component, components }: OneProps) {
  const words = useWords(statusPageWords)
  const moving = useChange()
  if (component.permissions['update'] !== true) return null
  const beside = components.filter(({ parent_id: id }) => id === component.parent_id)
  const at = beside.findIndex(({ id }) => id === component.id)
  const move = async (to: number) => {
    const after = beside.toSpliced(at, 1).toSpliced(to, 0, component)
    // Positions may be equal until the first move.
    for (const [position, { id, position: before }] of after.entries()) {
      if (position === before) continue
      await moving.mutateAsync(callTo('PUT', `/status_page_components/${id}`, { position }))
    }
  }
  const button = (to: number, icon: 'up' | 'down') => (
    <button
      type="button"
      className="button small"
      aria-label={words[icon](component.name)}
      disabled={to < 0 || to >= beside.length || moving.isPending}
      onClick={() => void move(to)}
    >
      <Icon name={icon} />
    </button>
  )
  return (
    <>
      {button(at - 1, 'up')}
      {button(at + 1, 'down')}
    </>
  )
}

function draftOf(component: Partial<StatusPageComponent>) {
  return {
    name: component.name ?? '',
    description: component.description ?? '',
    parent: component.parent_id ?? null,
    isHidden: component.only_show_if_degraded ?? false,
    source: sourceOf(component),
  }
}

type Draft = ReturnType<typeof draftOf>

function bodyOf({ name, description, parent, isHidden, source: { kind: _kind, ...source } }: Draft) {
  return { name, description, parent_id: parent, only_show_if_degraded: isHidden, ...source }
}

interface FormProps extends ComponentsProps {
  readonly component: ShownComponent | null
  readonly closed: () => void
}

function ComponentForm({ page, component, components, closed }: FormProps) {
  const words = useWords(statusPageWords)
  const [draft, setDraft] = useState(() => draftOf(component ?? {}))
  const [isNamed, setNamed] = useState(draft.name !== '')
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const headings = components.filter(
    (one) => kindOf(one) === 'heading' && one.parent_id === null && one.id !== component?.id,
  )
  const path = component === null ? null : (`/status_page_components/${component.id}` as const)
  return (
    <EditDialog
      title={component === null ? words.addComponent : component.name}
      action={words.save}
      making={callTo('POST', '/status_page_components', { status_page_id: page.id, ...bodyOf(draft) })}
      editing={{ path, state: draft, set: setDraft, read: draftOf, body: bodyOf }}
      closed={closed}
    >
      <TextField
        label={words.name}
        name="name"
        value={draft.name}
        maxLength={200}
        set={(name) => {
          setNamed(name !== '')
          set({ name })
        }}
      />
      <TextField
        label={words.description}
        name="description"
        hint={words.publicHint}
        value={draft.description}
        maxLength={1000}
        set={(description) => set({ description })}
      />
      <SourceFields source={draft.source} set={(source, name) => set({ source, ...(isNamed ? {} : { name }) })} />
      <ChoiceField
        label={words.parent}
        name="parent_id"
        value={String(draft.parent ?? '')}
        options={[{ id: '', name: words.noParent }, ...headings]}
        set={(parent) => set({ parent: parent === '' ? null : Number(parent) })}
      />
      <CheckField label={words.hidden} checked={draft.isHidden} set={(isHidden) => set({ isHidden })} />
    </EditDialog>
  )
}
