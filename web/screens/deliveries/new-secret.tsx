import { useRef, useState } from 'react'
import { callTo } from '../../api/calls.ts'
import type { AddressPath } from '../../parts/addresses/address-queries.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { deliveriesWords } from './words.ts'

interface Rotated {
  readonly secret: string
  /** Null: there was none before. */
  readonly old_secret_until: string | null
}

/** Gives a webhook a new signing secret, and shows it once. */
export function NewSecret({ path }: { readonly path: AddressPath }) {
  const words = useWords(deliveriesWords)
  const [isAsked, setAsked] = useState(false)
  const [rotated, setRotated] = useState<Rotated | null>(null)
  return (
    <>
      <button type="button" className="button" onClick={() => setAsked(true)}>
        {words.newSecret}
      </button>
      {isAsked ? (
        <FormDialog
          title={words.newSecretTitle}
          action={words.make}
          request={() => callTo('POST', `${path}/rotate_secret`)}
          done={(answer) => setRotated(answer)}
          closed={() => setAsked(false)}
        >
          <p>{words.newSecretText}</p>
        </FormDialog>
      ) : null}
      {rotated === null ? null : <Shown rotated={rotated} closed={() => setRotated(null)} />}
    </>
  )
}

function Shown({ rotated, closed }: { readonly rotated: Rotated; readonly closed: () => void }) {
  const words = useWords(deliveriesWords)
  const format = useFormat()
  const dialog = useRef<HTMLDialogElement>(null)
  const { secret, old_secret_until: until } = rotated
  return (
    <Dialog ref={dialog} title={words.shownTitle} closed={closed}>
      <div className="inside">
        <p>{words.shownText}</p>
        <textarea readOnly className="mono" rows={2} aria-label={words.secret} value={secret} />
        <div className="row">
          <CopyButton text={secret} />
        </div>
        <p>{until === null ? words.onlyNew : words.bothUntil(format.moment(until))}</p>
        <div className="row">
          <button type="button" className="button primary" onClick={() => dialog.current?.close()}>
            {words.done}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
