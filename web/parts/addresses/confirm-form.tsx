import { useRef, useState } from 'react'
import { callTo } from '../../api/calls.ts'
import { useWords } from '../../words/words.ts'
import { Dialog } from '../dialog.tsx'
import { TextField } from '../fields.tsx'
import { Form } from '../form.tsx'
import { useChange } from '../use-change.ts'
import { partWords } from '../words.ts'
import { pathOf, type ShownAddress } from './address-queries.ts'
import { notificationsWords } from './words.ts'

/** Takes the code that was sent to an address; only then it is told anything. */
export function ConfirmForm({ address, closed }: { readonly address: ShownAddress; readonly closed: () => void }) {
  const words = useWords(notificationsWords)
  const parts = useWords(partWords)
  const [code, setCode] = useState('')
  const [said, setSaid] = useState('')
  const dialog = useRef<HTMLDialogElement>(null)
  const changing = useChange()
  const close = () => dialog.current?.close()
  const path = pathOf(address)
  const isWithoutCode = address.warnings.some(({ warning }) => warning === 'no_confirmation_code')
  const call = callTo('POST', `${path}/confirm`, { code: code.trim() })
  return (
    <Dialog ref={dialog} title={words.confirmTitle} closed={closed}>
      <Form
        outcome={changing}
        submit={() => changing.mutate(call, { onSuccess: close })}
        call={call}
        action={words.confirm}
        look="primary"
        more={
          <>
            <button
              type="button"
              className="button"
              aria-disabled={changing.isPending}
              onClick={() =>
                changing.mutate(callTo('POST', `${path}/send_confirmation_code`), {
                  onSuccess: () => setSaid(words.codeSent),
                })
              }
            >
              {words.sendCode}
            </button>
            <button type="button" className="button plain" onClick={close}>
              {parts.cancel}
            </button>
          </>
        }
      >
        <p>{(isWithoutCode ? words.noCode : words.confirmText)(address.address)}</p>
        <TextField
          label={words.code}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          set={setCode}
        />
        <p role="status" className="hint">
          {said}
        </p>
      </Form>
    </Dialog>
  )
}
