import { randomUUID } from 'node:crypto'
import type { CDPSession, ElementHandle, Frame } from 'playwright-core'
import { type PageElement, takeProperty } from './in-page.ts'

type Question<A, R> = (element: PageElement, given: A) => R

/** A found element. Questions go to it directly; the driver is used only where it has to act. */
export interface FoundElement {
  /** The result of running the function on it in the page. */
  ask<A, R>(question: Question<A, R>, given: A): Promise<Awaited<R>>
  handle(): Promise<ElementHandle>
}

export function foundByDriver(handle: ElementHandle): FoundElement {
  return {
    ask: <A, R>(question: Question<A, R>, given: A) =>
      handle.evaluate(question as (element: unknown, given: unknown) => R, given) as Promise<Awaited<R>>,
    handle: () => Promise.resolve(handle),
  }
}

/** An element of the frame, by its name in the protocol. */
export function foundByProtocol(session: CDPSession, frame: Frame, objectId: string): FoundElement {
  const call = async (body: string, given: unknown): Promise<unknown> => {
    const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: `function (given) { ${body} }`,
      arguments: [{ value: given }],
      ...{ returnByValue: true, awaitPromise: true },
    })
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text)
    return result.value
  }
  return {
    ask: <A, R>(question: Question<A, R>, given: A) =>
      call(`return (${question})(this, given)`, given) as Promise<Awaited<R>>,
    // A temporary property of the page links the protocol's object to the driver's handle.
    async handle() {
      const key = `latarnik-${randomUUID()}`
      await call('this.ownerDocument.defaultView[given] = this', key)
      const handle = (await frame.evaluateHandle(takeProperty, key)).asElement()
      if (handle === null) throw new Error('the element is gone')
      return handle
    },
  }
}
