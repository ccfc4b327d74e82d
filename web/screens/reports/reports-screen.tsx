import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { Address } from '../../api/address.ts'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { type Managed, ManagedMark } from '../../parts/managed.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useFormat } from '../../reader.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { MakeForm } from './make-form.tsx'
import { PlanForm } from './plan-form.tsx'
import { RemoveForm } from './remove-form.tsx'
import {
  isWorking,
  type ShownPlan,
  type ShownReport,
  useFirstService,
  useMayPlan,
  usePlans,
  useReports,
} from './report-queries.ts'
import { Progress, ReportStatus, SaveButton } from './report-state.tsx'
import { reportWords } from './words.ts'

/** The purpose of an open dialog. */
type Asked =
  | { readonly kind: 'plan'; readonly plan: ShownPlan | null }
  | { readonly kind: 'make'; readonly plan: ShownPlan }
  | {
      readonly kind: 'remove'
      readonly path: Address<'DELETE'>
      readonly name: string
      readonly text: string
      readonly managed?: Managed
    }

/** Plans of reports, and the reports that were made. */
export function ReportsScreen() {
  const words = useWords(reportWords)
  const [asked, setAsked] = useState<Asked | null>(null)
  const { data: mayPlan = false } = useMayPlan()
  useEffect(() => showTitle(words.title), [words])
  const close = useRef(() => setAsked(null)).current
  return (
    <div className="reports stack">
      <header className="spread">
        <h1>{words.title}</h1>
        {mayPlan ? (
          <button type="button" className="button primary" onClick={() => setAsked({ kind: 'plan', plan: null })}>
            <Icon name="add" />
            {words.addPlan}
          </button>
        ) : null}
      </header>
      <Plans ask={setAsked} />
      <Reports ask={setAsked} />
      {asked === null ? null : asked.kind === 'plan' ? (
        <PlanForm plan={asked.plan} closed={close} />
      ) : asked.kind === 'make' ? (
        <MakeForm plan={asked.plan} closed={close} />
      ) : (
        <RemoveForm {...asked} closed={close} />
      )}
    </div>
  )
}

interface SectionProps {
  readonly ask: (asked: Asked) => void
}

function Plans({ ask }: SectionProps) {
  const words = useWords(reportWords)
  const { data, error, refetch, hasNextPage, fetchNextPage } = usePlans()
  // The form that makes a report has it at once.
  useFirstService()
  const plans = data?.pages.flatMap((page) => page.rows)
  return (
    <section className="card" aria-labelledby="plans">
      <header>
        <h2 id="plans">{words.plans}</h2>
        <span className="hint">{words.plansHint}</span>
      </header>
      {plans === undefined ? <Unread what={words.plans} error={error} again={() => void refetch()} /> : null}
      {plans?.length === 0 ? (
        <div className="inside">
          <h3>{words.noPlans}</h3>
          <p className="dim">{words.noPlansHint}</p>
        </div>
      ) : null}
      <ul className="plans">
        {plans?.map((plan) => (
          <PlanRow key={plan.id} plan={plan} ask={ask} />
        ))}
      </ul>
      {hasNextPage ? <More text={words.more} more={() => void fetchNextPage()} /> : null}
    </section>
  )
}

function PlanRow({ plan, ask }: SectionProps & { readonly plan: ShownPlan }) {
  const words = useWords(reportWords)
  const { name, permissions, email_addresses: emails, reporting_plan_ids: when } = plan
  const [first, ...further] = emails
  return (
    <li>
      <div className="plan-text">
        <Link href={`/reports?template_id=${plan.id}`}>
          <b>{name}</b>
        </Link>
        <ManagedMark of={plan} />
        <span>
          {useScopeText(plan)} · {when.length === 0 ? words.byHand : when.map((id) => words.plannedWhen[id]).join(', ')}{' '}
          ·{' '}
          {first === undefined
            ? words.toNobody
            : words.to(further.length === 0 ? first : `${first} +${further.length}`)}
        </span>
        {plan.description === '' ? null : <span className="hint">{plan.description}</span>}
      </div>
      <div className="row">
        {permissions['create_reports'] === true ? (
          <button
            type="button"
            className="button small"
            aria-label={words.makeOf(name)}
            onClick={() => ask({ kind: 'make', plan })}
          >
            {words.make}
          </button>
        ) : null}
        {permissions['update'] === true ? (
          <button
            type="button"
            className="button plain small"
            aria-label={words.editOf(name)}
            onClick={() => ask({ kind: 'plan', plan })}
          >
            {words.edit}
          </button>
        ) : null}
        {permissions['delete'] === true ? (
          <button
            type="button"
            className="button plain small"
            aria-label={words.removeOf(name)}
            onClick={() =>
              ask({ kind: 'remove', path: `/report_templates/${plan.id}`, name, text: words.removePlan, managed: plan })
            }
          >
            {words.remove}
          </button>
        ) : null}
      </div>
    </li>
  )
}

function useScopeText({ requested_scope: { services, groups, accounts } }: ShownPlan): string {
  const words = useWords(reportWords)
  if (services.all) return words.scopeAll
  const isOther = services.by_owner_id.length + groups.by_owner_id.length + accounts.by_id.length > 0
  if (isOther || accounts.all || groups.all) return words.scopeOther
  const groupIds = new Set([...services.by_group_id, ...groups.by_id])
  const parts = [
    ...(groupIds.size > 0 ? [words.scopeGroups(groupIds.size)] : []),
    ...(services.by_id.length > 0 ? [words.scopeServices(services.by_id.length)] : []),
  ]
  return parts.length === 0 ? words.scopeNothing : parts.join(', ')
}

function Reports({ ask }: SectionProps) {
  const words = useWords(reportWords)
  const [search, setSearch] = useSearchParams()
  const planId = search.get('template_id')
  const { data, error, refetch, hasNextPage, fetchNextPage } = useReports(planId)
  const reports = data?.pages.flatMap((page) => page.rows)
  return (
    <section className="card" aria-labelledby="reports">
      <header>
        <h2 id="reports">{words.reports}</h2>
        {planId === null ? null : (
          <button type="button" className="button small" onClick={() => setSearch({})}>
            {words.everyPlan}
          </button>
        )}
      </header>
      {reports === undefined ? <Unread what={words.reports} error={error} again={() => void refetch()} /> : null}
      {reports?.length === 0 ? <p className="inside dim">{words.noReports}</p> : null}
      <ul className="report-list">
        {reports?.map((report) => (
          <ReportRow key={report.id} report={report} ask={ask} />
        ))}
      </ul>
      {hasNextPage ? <More text={words.older} more={() => void fetchNextPage()} /> : null}
    </section>
  )
}

function ReportRow({ report, ask }: SectionProps & { readonly report: ShownReport }) {
  const words = useWords(reportWords)
  const format = useFormat()
  const { id, name, permissions } = report
  return (
    <li>
      <div className="plan-text">
        <Link href={`/reports/${id}`}>
          <b>{name}</b>
        </Link>
        <span>
          {format.shortMoment(report.from)} – {format.shortMoment(report.to)}{' '}
          <span className="hint">{format.zone}</span>
        </span>
        <span className="hint">
          {words.made(format.shortMoment(report.created_at))}
          {report.reporting_plan_id === null ? '' : `, ${words.plannedWhen[report.reporting_plan_id]}`}
        </span>
      </div>
      {isWorking(report) ? <Progress report={report} /> : <ReportStatus report={report} />}
      <div className="row">
        {report.rendering_status === 'completed' ? <SaveButton report={report} isSmall /> : null}
        {permissions['delete'] === true ? (
          <button
            type="button"
            className="button plain small"
            aria-label={words.removeOf(name)}
            onClick={() => ask({ kind: 'remove', path: `/reports/${id}`, name, text: words.removeReport })}
          >
            {words.remove}
          </button>
        ) : null}
      </div>
    </li>
  )
}

interface UnreadProps {
  readonly what: string
  readonly error: unknown
  readonly again: () => void
}

function Unread({ what, error, again }: UnreadProps): ReactNode {
  return (
    <div className="inside">{error === null ? <Loading what={what} /> : <Trouble error={error} again={again} />}</div>
  )
}

function More({ text, more }: { readonly text: string; readonly more: () => void }) {
  return (
    <button type="button" className="button plain" onClick={more}>
      {text}
    </button>
  )
}
