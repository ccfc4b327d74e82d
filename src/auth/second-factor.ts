import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Database, Executor } from '../database/connect.ts'
import { matchingStep, setUpFacts } from './one-time-password.ts'
import { readableSecret } from './password.ts'
import { digestOf } from './tokens.ts'

/** 160 bits, as RFC 4226 recommends. */
const secretBytes = 20
const recoveryCodes = 10
/** 79 bits: too many to be found from a digest. */
const recoveryGroups = 4

/** After ten wrong codes in a row none is checked for a quarter of an hour: a million guesses take years. */
const maximumFailures = 10
const lockMs = 15 * 60_000

interface StoredFactor {
  /** Null: there is no application, so only passkeys and recovery codes serve. */
  readonly secret: Buffer | null
  readonly is_confirmed: boolean
  readonly last_step: number | null
  readonly failures: number
  readonly locked_until: number | null
}

export type CodeOutcome = 'right' | 'wrong' | { readonly waitSeconds: number }

/** Makes a new secret for an application, which counts once its first code is verified. None may be confirmed yet. */
export async function setUpSecondFactor(
  executor: Executor,
  account: { readonly id: number; readonly username: string },
  now: number,
): Promise<{ readonly secret: string; readonly otpauth_url: string }> {
  const secret = randomBytes(secretBytes)
  await executor.execute(sql`
    insert into second_factors (account_id, secret, created_at) values (${account.id}, ${secret}, ${new Date(now)})
    on conflict (account_id) do update
    set secret = excluded.secret, is_confirmed = false, last_step = null, failures = 0, locked_until = null, created_at = excluded.created_at`)
  return setUpFacts(secret, account.username)
}

/** Switches the factor on, with new recovery codes in place of old ones. Only their digests are stored. */
export async function enableSecondFactor(transaction: Executor, accountId: number): Promise<readonly string[]> {
  const codes = Array.from({ length: recoveryCodes }, () => readableSecret(recoveryGroups))
  await transaction.execute(sql`update user_data set has_2fa_enabled = true where id = ${accountId}`)
  await transaction.execute(
    sql`update second_factors set is_confirmed = secret is not null where account_id = ${accountId}`,
  )
  await transaction.execute(sql`delete from recovery_codes where account_id = ${accountId}`)
  await transaction.execute(sql`
    insert into recovery_codes (account_id, code_hash)
    select ${accountId}, code_hash from unnest(${codes.map(recoveryDigest)}::bytea[]) as code_hash`)
  return codes
}

/** Switches the factor on without an application, for passkeys. The row without a secret counts wrong codes. */
export async function enableWithPasskeys(
  transaction: Executor,
  accountId: number,
  now: number,
): Promise<readonly string[]> {
  await transaction.execute(sql`delete from second_factors where account_id = ${accountId}`)
  await transaction.execute(
    sql`insert into second_factors (account_id, created_at) values (${accountId}, ${new Date(now)})`,
  )
  return enableSecondFactor(transaction, accountId)
}

/** Forgets the application; passkeys and recovery codes stay. */
export async function removeApplication(transaction: Executor, accountId: number): Promise<void> {
  await transaction.execute(
    sql`update second_factors set secret = null, is_confirmed = false, last_step = null where account_id = ${accountId}`,
  )
}

export interface FactorState {
  readonly isOn: boolean
  /** An application has its secret, and may not be confirmed yet. */
  readonly isSetUp: boolean
  readonly hasApplication: boolean
  /** The account must have a second factor. */
  readonly isRequired: boolean
}

/** The second factor of an account; locks it until the transaction ends. */
export async function lockFactor(transaction: Executor, accountId: number): Promise<FactorState> {
  await transaction.execute(sql`select from user_data where id = ${accountId} for update`)
  return readFactor(transaction, accountId)
}

export async function readFactor(executor: Executor, accountId: number): Promise<FactorState> {
  const [row] = await executor.query<FactorState>(sql`
    select has_2fa_enabled as "isOn",
      exists (select from second_factors where account_id = id and secret is not null) as "isSetUp",
      exists (select from second_factors where account_id = id and is_confirmed) as "hasApplication",
      (select is_2fa_setup_required from accounts a where a.id = user_data.id) as "isRequired"
    from user_data where id = ${accountId}`)
  return row ?? { isOn: false, isSetUp: false, hasApplication: false, isRequired: false }
}

/** Switches the factor off and forgets the secret and the recovery codes. */
export async function disableSecondFactor(transaction: Executor, accountId: number): Promise<void> {
  await transaction.execute(sql`update user_data set has_2fa_enabled = false where id = ${accountId}`)
  await transaction.execute(sql`delete from second_factors where account_id = ${accountId}`)
  await transaction.execute(sql`delete from recovery_codes where account_id = ${accountId}`)
}

/**
 * Uses up a code of the application or a recovery code; each works once. The row is locked, so of two requests with one
 * code only one succeeds. The first code of an application (`isFirst`) confirms it; recovery codes do not.
 */
export function useCode(
  database: Database,
  accountId: number,
  code: string,
  { now, isFirst = false }: { readonly now: number; readonly isFirst?: boolean },
): Promise<CodeOutcome> {
  return database.transaction(async (transaction) => {
    const [factor] = await transaction.query<StoredFactor>(sql`
      select secret, is_confirmed, last_step, failures, locked_until from second_factors where account_id = ${accountId} for update`)
    if (factor === undefined) return 'wrong'
    const { locked_until: lockedUntil } = factor
    if (lockedUntil !== null && lockedUntil > now) return { waitSeconds: Math.ceil((lockedUntil - now) / 1000) }
    const secret = factor.is_confirmed || isFirst ? factor.secret : null
    const known = { now, lastStep: factor.last_step }
    const step = secret === null ? undefined : matchingStep(secret, code.replaceAll(' ', ''), known)
    const isRecovery = !isFirst && (await useRecoveryCode(transaction, accountId, code))
    if (step === undefined && !isRecovery) {
      await countFailure(transaction, accountId, factor, now)
      return 'wrong'
    }
    await transaction.execute(sql`
      update second_factors set last_step = ${step ?? factor.last_step}, failures = 0, locked_until = null
      where account_id = ${accountId}`)
    return 'right'
  })
}

/** The recovery codes that are left. */
export async function countRecoveryCodes(executor: Executor, accountId: number): Promise<number> {
  const [found] = await executor.query<{ count: number }>(
    sql`select count(*)::int as count from recovery_codes where account_id = ${accountId}`,
  )
  return found?.count ?? 0
}

async function useRecoveryCode(transaction: Executor, accountId: number, code: string): Promise<boolean> {
  const used = await transaction.execute(sql`
    delete from recovery_codes where account_id = ${accountId} and code_hash = ${recoveryDigest(code)}`)
  return used > 0
}

async function countFailure(
  transaction: Executor,
  accountId: number,
  factor: StoredFactor,
  now: number,
): Promise<void> {
  const failures = factor.failures + 1
  const isFull = failures >= maximumFailures
  await transaction.execute(sql`
    update second_factors set failures = ${isFull ? 0 : failures}, locked_until = ${isFull ? new Date(now + lockMs) : null}
    where account_id = ${accountId}`)
}

/** Typed by hand, so case and separators do not matter. */
function recoveryDigest(code: string): Buffer {
  return digestOf(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
}
