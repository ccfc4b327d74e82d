import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerAt } from '../../api/answers.ts'
import { change } from '../../api/calls.ts'
import { Refused, read } from '../../api/client.ts'
import { Form } from '../../parts/form.tsx'
import { obstaclesIn } from '../../parts/obstacles.ts'
import { proposalFor } from '../../parts/proposal.ts'
import { readAgain } from '../../parts/use-change.ts'
import { useWords } from '../../words/words.ts'
import { FirstVerdict } from './first-verdict.tsx'
import { welcomeWords } from './words.ts'
import { workingType } from './working-type.ts'

interface Added {
  readonly id: number
  readonly name: string
  readonly warnings: AnswerAt<'POST', '/services'>['warnings']
}

/** Seconds; less often where the package wants it. */
const usualInterval = 60

/** Ports are numbers, all else that a pasted address gives is text. */
function settingsOf(settings: Readonly<Record<string, string>>): Readonly<Record<string, string | number>> {
  return Object.fromEntries(Object.entries(settings).map(([id, text]) => [id, id === 'port' ? Number(text) : text]))
}

/** As the API would say it of the field. */
function unnamed(message: string): Refused {
  return new Refused(422, [{ code: 4220000, error: 'incorrect_value', field: 'data.address', message }])
}

/** An address becomes a service with the usual settings, and its first verdict is shown as it comes. */
export function WatchStep({ onJudged }: { readonly onJudged: () => void }) {
  const words = useWords(welcomeWords)
  const client = useQueryClient()
  const [pasted, setPasted] = useState('')
  const adding = useMutation({
    mutationFn: async (text: string): Promise<Added> => {
      const proposal = proposalFor(text)
      if (proposal === null) throw unnamed(words.nothingNamed)
      const { name, address } = proposal
      const definition = { address, extended_settings: settingsOf(proposal.settings) }
      const { minimum_interval: least } = await read('/packages/my_package?fields=minimum_interval')
      const answer = await change('POST', '/services', {
        ...{ ...definition, name, type_id: await workingType(proposal, definition) },
        interval: Math.max(usualInterval, least),
      })
      return { ...answer, name }
    },
    onSettled: readAgain(client, { queryKey: ['services'] }),
  })
  const { data, reset } = adding
  if (data !== undefined) {
    return (
      <>
        {obstaclesIn(data.warnings).map(({ message }) => (
          <p key={message} className="problem" role="alert">
            {message}
          </p>
        ))}
        <FirstVerdict service={data} onJudged={onJudged}>
          <button
            type="button"
            className="button plain"
            onClick={() => {
              setPasted('')
              reset()
            }}
          >
            {words.another}
          </button>
        </FirstVerdict>
      </>
    )
  }
  return (
    <Form
      className="stack"
      outcome={adding}
      submit={() => adding.mutate(pasted)}
      call={null}
      action={adding.isPending ? words.starting : words.start}
      look="primary"
      isReady={pasted.trim() !== ''}
    >
      <div className="field" data-field="address">
        <label htmlFor="watch-address">{words.address}</label>
        <input
          id="watch-address"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={2000}
          placeholder={words.placeholder}
          aria-describedby="watch-hint"
          value={pasted}
          onChange={({ target }) => setPasted(target.value)}
        />
        <span id="watch-hint" className="hint">
          {words.watchHint}
        </span>
      </div>
    </Form>
  )
}
