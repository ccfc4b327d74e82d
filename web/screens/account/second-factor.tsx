import { useState } from 'react'
import { TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useWords } from '../../words/words.ts'
import { QrPicture } from './qr-picture.tsx'
import { securityWords } from './security-words.ts'
import { useUserData } from './user-data.ts'

interface Setup {
  readonly secret: string
  readonly otpauth_url: string
}

type Step = 'none' | 'password' | 'code' | 'off'

/** A code of an authenticator application beside the password. */
export function SecondFactor() {
  const words = useWords(securityWords)
  const { data, error, refetch } = useUserData()
  const [step, setStep] = useState<Step>('none')
  const [setup, setSetup] = useState<Setup | null>(null)
  const [recovery, setRecovery] = useState<readonly string[] | null>(null)
  const isOn = data?.has_2fa_enabled === true
  return (
    <section className="card" aria-labelledby="second-factor">
      <header>
        <h2 id="second-factor">{words.factor}</h2>
      </header>
      {data === undefined ? (
        error === null ? (
          <Loading what={words.factor} />
        ) : (
          <Trouble error={error} again={() => void refetch()} />
        )
      ) : (
        <div className="inside stack">
          <p className="row">
            <Icon name={isOn ? 'ok' : 'warning'} />
            {isOn ? words.factorOn : words.factorOff}
          </p>
          {setup === null || isOn ? null : (
            <>
              <p>{words.scan}</p>
              <QrPicture text={setup.otpauth_url} label={words.picture} />
              <p>
                {words.secret}: <code>{setup.secret}</code>
              </p>
            </>
          )}
          {recovery === null ? null : <Recovery codes={recovery} kept={() => setRecovery(null)} />}
          <div className="row">
            {isOn ? (
              <button type="button" className="button" onClick={() => setStep('off')}>
                {words.switchOffTitle}
              </button>
            ) : (
              <button
                type="button"
                className="button primary"
                onClick={() => setStep(setup === null ? 'password' : 'code')}
              >
                {setup === null ? words.setUpTitle : words.confirm}
              </button>
            )}
          </div>
        </div>
      )}
      {step === 'password' ? (
        <Ask
          title={words.setUpTitle}
          action={words.next}
          label={words.password}
          kind="password"
          path="/accounts/my_account/2fa/setup"
          done={(answer) => setSetup(answer as Setup)}
          closed={() => setStep('none')}
        />
      ) : null}
      {step === 'code' ? (
        <Ask
          title={words.setUpTitle}
          action={words.confirm}
          label={words.code}
          kind="code"
          path="/accounts/my_account/2fa/verify"
          done={(answer) => {
            setSetup(null)
            setRecovery((answer as { readonly recovery_codes: readonly string[] }).recovery_codes)
          }}
          closed={() => setStep('none')}
        />
      ) : null}
      {step === 'off' ? (
        <Ask
          title={words.switchOffTitle}
          action={words.switchOffTitle}
          label={words.anyCode}
          kind="code"
          path="/accounts/my_account/2fa/disable"
          done={() => setRecovery(null)}
          closed={() => setStep('none')}
        />
      ) : null}
    </section>
  )
}

interface AskProps {
  readonly title: string
  readonly action: string
  readonly label: string
  readonly kind: 'password' | 'code'
  readonly path: string
  readonly done: (answer: unknown) => void
  readonly closed: () => void
}

function Ask({ title, action, label, kind, path, done, closed }: AskProps) {
  const [typed, setTyped] = useState('')
  const name = kind === 'password' ? 'current_password' : 'code'
  return (
    <FormDialog
      {...{ title, action, done, closed }}
      isReady={typed.trim() !== ''}
      request={() => ({ method: 'POST', path, body: { [name]: kind === 'code' ? typed.trim() : typed } })}
    >
      <TextField
        {...{ label, name }}
        type={kind === 'password' ? 'password' : 'text'}
        autoComplete={kind === 'password' ? 'current-password' : 'one-time-code'}
        value={typed}
        set={setTyped}
      />
    </FormDialog>
  )
}

function Recovery({ codes, kept }: { readonly codes: readonly string[]; readonly kept: () => void }) {
  const words = useWords(securityWords)
  return (
    <div className="warning-note stack" role="status">
      <h3>{words.recovery}</h3>
      <p>{words.recoveryText}</p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row">
        <button type="button" className="button" onClick={kept}>
          {words.kept}
        </button>
      </div>
    </div>
  )
}
