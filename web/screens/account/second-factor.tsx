import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { read } from '../../api/client.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import type { Change } from '../../parts/use-change.ts'
import { useWords } from '../../words/words.ts'
import { hasPasskeys, type Passkey, provePasskey } from './browser-passkeys.ts'
import { passkeyWords } from './passkey-words.ts'
import { QrPicture } from './qr-picture.tsx'
import { securityWords } from './security-words.ts'

interface Setup {
  readonly secret: string
  readonly otpauth_url: string
}

type Step = 'none' | 'password' | 'code' | 'passkeys' | 'off'

type Factor = Schemas['accounts_read_2fa_output']

/** A code of an authenticator application or a passkey, beside the password. */
export function SecondFactor() {
  const words = useWords(securityWords)
  const { data, error, refetch } = useQuery({
    queryKey: ['second-factor'],
    queryFn: ({ signal }) => read('/accounts/my_account/2fa', signal),
  })
  const [step, setStep] = useState<Step>('none')
  const [setup, setSetup] = useState<Setup | null>(null)
  const [recovery, setRecovery] = useState<readonly string[] | null>(null)
  const showCodes = (answer: { readonly recovery_codes: readonly string[] }) => {
    setSetup(null)
    setRecovery(answer.recovery_codes)
  }
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
          <State factor={data} />
          {setup === null || data.has_application ? null : (
            <>
              <p>{words.scan}</p>
              <QrPicture text={setup.otpauth_url} label={words.picture} />
              <p>
                {words.secret}: <code>{setup.secret}</code>
              </p>
            </>
          )}
          {recovery === null ? null : <Recovery codes={recovery} kept={() => setRecovery(null)} />}
          <Buttons factor={data} isSetUp={setup !== null} setStep={setStep} />
        </div>
      )}
      {step === 'password' ? (
        <Ask
          title={words.setUpTitle}
          action={words.next}
          label={words.password}
          kind="password"
          request={(current_password) => callTo('POST', '/accounts/my_account/2fa/setup', { current_password })}
          done={setSetup}
          closed={() => setStep('none')}
        />
      ) : null}
      {step === 'code' ? (
        <Ask
          title={words.setUpTitle}
          action={words.confirm}
          label={words.code}
          kind="code"
          request={(code) => callTo('POST', '/accounts/my_account/2fa/verify', { code: code.trim() })}
          done={showCodes}
          closed={() => setStep('none')}
        />
      ) : null}
      {step === 'passkeys' ? (
        <Ask
          title={words.withPasskeys}
          action={words.confirm}
          label={words.password}
          kind="password"
          request={(current_password) => callTo('POST', '/accounts/my_account/2fa/enable', { current_password })}
          done={showCodes}
          closed={() => setStep('none')}
        />
      ) : null}
      {step === 'off' && data !== undefined ? (
        <SwitchOff factor={data} done={() => setRecovery(null)} closed={() => setStep('none')} />
      ) : null}
    </section>
  )
}

/** The factors that a login asks for now. */
function State({ factor }: { readonly factor: Factor }) {
  const words = useWords(securityWords)
  const { is_enabled: isOn, has_application: hasApplication, passkeys } = factor
  const by = hasApplication && passkeys > 0 ? words.factorBoth : hasApplication ? words.factorOn : words.factorPasskeys
  return (
    <>
      <p className="row beside">
        <Icon name={isOn ? 'ok' : 'warning'} />
        {isOn ? by : words.factorOff}
      </p>
      {isOn ? <p className="dim">{words.codesLeft(factor.recovery_codes)}</p> : null}
      {factor.is_required ? <p className="dim">{words.required}</p> : null}
    </>
  )
}

interface ButtonsProps {
  readonly factor: Factor
  readonly isSetUp: boolean
  readonly setStep: (step: Step) => void
}

function Buttons({ factor, isSetUp, setStep }: ButtonsProps) {
  const words = useWords(securityWords)
  const { is_enabled: isOn, has_application: hasApplication, passkeys } = factor
  return (
    <div className="row">
      {hasApplication ? null : (
        <button
          type="button"
          className={isOn ? 'button' : 'button primary'}
          onClick={() => setStep(isSetUp ? 'code' : 'password')}
        >
          {isSetUp ? words.confirm : isOn ? words.addApplication : words.setUpTitle}
        </button>
      )}
      {isOn || passkeys === 0 ? null : (
        <button type="button" className="button" onClick={() => setStep('passkeys')}>
          {words.withPasskeys}
        </button>
      )}
      {isOn ? (
        <button type="button" className="button" onClick={() => setStep('off')}>
          {offTitle(factor, words)}
        </button>
      ) : null}
    </div>
  )
}

function offTitle(factor: Factor, words: (typeof securityWords)['en']): string {
  return factor.is_required && factor.has_application && factor.passkeys > 0
    ? words.forgetApplication
    : words.switchOffTitle
}

interface SwitchOffProps {
  readonly factor: Factor
  readonly done: () => void
  readonly closed: () => void
}

/** A code, or a passkey, proves that the owner switches the factor off. */
function SwitchOff({ factor, done, closed }: SwitchOffProps) {
  const words = useWords(securityWords)
  const ofPasskeys = useWords(passkeyWords)
  const title = offTitle(factor, words)
  const [typed, setTyped] = useState('')
  const [passkey, setPasskey] = useState<Passkey | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const ask = () => {
    setFault(null)
    provePasskey(ofPasskeys).then(setPasskey, (reason: unknown) =>
      setFault(reason instanceof Error ? reason.message : ofPasskeys.failed),
    )
  }
  const body = passkey === null ? { code: typed.trim() } : { passkey }
  return (
    <FormDialog
      {...{ title, done, closed }}
      action={title}
      isReady={passkey !== null || typed.trim() !== ''}
      request={() => callTo('POST', '/accounts/my_account/2fa/disable', body)}
    >
      {passkey === null ? (
        <TextField label={words.anyCode} name="code" autoComplete="one-time-code" value={typed} set={setTyped} />
      ) : (
        <p role="status">{words.passkeyTaken}</p>
      )}
      {factor.passkeys > 0 && passkey === null && hasPasskeys() ? (
        <button type="button" className="button" onClick={ask}>
          {ofPasskeys.usePasskey}
        </button>
      ) : null}
      {fault === null ? null : (
        <p className="problem" role="alert">
          {fault}
        </p>
      )}
    </FormDialog>
  )
}

interface AskProps<Answer> {
  readonly title: string
  readonly action: string
  readonly label: string
  readonly kind: 'password' | 'code'
  /** The change, with what was typed. */
  readonly request: (typed: string) => Change<Answer>
  readonly done: (answer: Answer) => void
  readonly closed: () => void
}

function Ask<Answer>({ title, action, label, kind, request, done, closed }: AskProps<Answer>) {
  const [typed, setTyped] = useState('')
  const name = kind === 'password' ? 'current_password' : 'code'
  return (
    <FormDialog {...{ title, action, done, closed }} isReady={typed.trim() !== ''} request={() => request(typed)}>
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
        <CopyButton isLarge text={codes.join('\n')} what={words.recovery} />
        <button type="button" className="button" onClick={kept}>
          {words.kept}
        </button>
      </div>
    </div>
  )
}
