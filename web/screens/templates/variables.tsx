import { useState } from 'react'
import type { TemplateVariable } from '../../api/answers.ts'
import { useWords } from '../../words/words.ts'
import { useTemplateVariables } from './template-queries.ts'
import { templatesWords } from './words.ts'

/** The variables of a template, to be inserted. */
export function Variables({ insert }: { readonly insert: (text: string) => void }) {
  const words = useWords(templatesWords)
  const { data: variables = [] } = useTemplateVariables()
  const [sought, setSought] = useState('')
  const wanted = sought.trim().toLowerCase()
  const shown = variables.filter(({ id, description }) => `${id} ${description}`.toLowerCase().includes(wanted))
  const lists = variables.filter(({ type }) => type === 'list').map(({ id }) => id)
  return (
    <details className="variables">
      <summary>{words.variables}</summary>
      <div className="stack">
        <p className="hint">{words.variablesHint}</p>
        <input
          type="search"
          aria-label={words.find}
          placeholder={words.find}
          value={sought}
          onChange={({ target }) => setSought(target.value)}
        />
        {shown.length === 0 ? (
          <p className="dim">{words.noVariable}</p>
        ) : (
          <ul>
            {shown.map((variable) => (
              <li key={variable.id}>
                <button type="button" className="button small mono" onClick={() => insert(tagOf(variable, lists))}>
                  {variable.id}
                </button>
                <span>
                  {variable.description}{' '}
                  {variable.example_value === null ? null : (
                    <span className="dim">{words.example(String(variable.example_value))}</span>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </details>
  )
}

/** How a template names the variable: members of a list stand within its #each under their own names. */
function tagOf({ id, type }: TemplateVariable, lists: readonly string[]): string {
  const list = lists.find((one) => id.startsWith(`${one}.`))
  const name = list === undefined ? id : id.slice(list.length + 1)
  if (type === 'list') return `{{#each ${name}}}\n\n{{/each}}`
  if (type === 'texts') return `{{#each ${name}}}{{this}} {{/each}}`
  if (type === 'boolean') return `{{#if ${name}}}{{/if}}`
  if (type === 'time') return `{{time ${name}}}`
  return type === 'seconds' ? `{{duration ${name}}}` : `{{${name}}}`
}
