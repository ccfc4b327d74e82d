import { useState } from 'react'
import { prefix } from '../api/prefix.ts'
import { useWords } from '../words/words.ts'
import { asCodeWords } from './as-code-words.ts'
import { type ApiCall, curlOf, withoutSecrets, yamlOf } from './code-text.ts'
import { CopyButton } from './copy-button.tsx'
import './as-code.css'

const forms = ['curl', 'json', 'yaml'] as const

/** The call of the API that makes or changes what is shown, to copy. */
export function AsCode(call: ApiCall) {
  const words = useWords(asCodeWords)
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="as-code" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.title}</summary>
      {isOpen ? <Code {...call} /> : null}
    </details>
  )
}

function Code({ method, path, body, secrets }: ApiCall) {
  const words = useWords(asCodeWords)
  const [form, setForm] = useState<(typeof forms)[number]>('curl')
  const shown = withoutSecrets(body, secrets)
  const text =
    form === 'curl'
      ? curlOf({ method, path, body: shown }, location.origin + prefix)
      : form === 'json'
        ? JSON.stringify(shown ?? null, null, 2)
        : yamlOf(shown).trimStart()
  return (
    <div className="stack">
      <div className="row">
        <select
          aria-label={words.form}
          value={form}
          onChange={({ target }) => setForm(forms.find((one) => one === target.value) ?? 'curl')}
        >
          {forms.map((one) => (
            <option key={one} value={one}>
              {words.forms[one]}
            </option>
          ))}
        </select>
        <CopyButton text={text} />
      </div>
      <textarea readOnly rows={Math.min(16, text.split('\n').length + 1)} aria-label={words.title} value={text} />
      <p className="hint">{words.hint}</p>
    </div>
  )
}
