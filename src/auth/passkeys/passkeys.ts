import type { Caller } from '../../domain/caller.ts'
import { beginConfirmation, completeByPasskey, confirmByPasskey } from './confirmation.ts'
import type { PasskeyAnswer, PasskeyContext, PasskeyOrigin } from './context.ts'
import { beginLogin, logInByPasskey, type PasskeyLogin } from './login.ts'
import { beginRegistration, proveRegistration } from './registration.ts'

/** What browsers and the API do with passkeys. */
export function passkeysIn(context: PasskeyContext) {
  return {
    beginRegistration: (caller: Caller, origin: PasskeyOrigin) => beginRegistration(context, caller, origin),
    proveRegistration: (caller: Caller, answer: PasskeyAnswer) => proveRegistration(context, caller, answer),
    beginLogin: (origin: PasskeyOrigin) => beginLogin(context, origin),
    logIn: (login: PasskeyLogin) => logInByPasskey(context, login),
    beginConfirmation: (caller: Caller, origin: PasskeyOrigin) => beginConfirmation(context, caller, origin),
    confirm: (caller: Caller, answer: PasskeyAnswer) => confirmByPasskey(context, caller, answer),
    complete: (caller: Caller, answer: PasskeyAnswer) => completeByPasskey(context, caller, answer),
  }
}

export type Passkeys = ReturnType<typeof passkeysIn>
