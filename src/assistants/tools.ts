import type { Tool } from './tool.ts'

const service = { service_id: '_id' } as const
const page = { limit: 'limit', offset: 'offset' } as const
const range = { from: 'from', to: 'to' } as const
const ofService = { operation: 'services.read', argument: 'service_id', shows: ['id', 'name', 'address'] } as const

const statusFields = [
  'status.summary',
  'status.is_degraded',
  'status.degraded_reasons',
  'status.is_acknowledged',
  'status.last_response_time',
  'status.last_check_status_change_time',
]
const serviceFields = ['id', 'name', 'type_id', 'address', 'group_id', 'tags', 'is_active', 'is_archived']

/** Every tool of assistants. An entry is all that a further one needs, unless it takes several operations. */
export const tools: readonly Tool[] = [
  {
    name: 'list_services',
    title: { en: 'List services', pl: 'Lista usług' },
    about:
      'Monitored services with their present state, a page at a time. Search by words, or filter by state (failure, ok, paused, suspended, unknown), group, tag or type.',
    does: 'read',
    operation: 'services.list',
    arguments: {
      ...{ query: 'query', state: 'status.summary', is_degraded: 'status.is_degraded', group_id: 'group_id' },
      ...{ tags: 'tags', type_id: 'type_id', is_active: 'is_active', sort: 'sort', ...page },
    },
    shows: [...serviceFields, ...statusFields],
  },
  {
    name: 'read_service',
    title: { en: 'Read a service', pl: 'Odczyt usługi' },
    about: 'One service with its definition, its group and its status.',
    does: 'read',
    operation: 'services.read',
    arguments: service,
    shows: [
      ...serviceFields,
      ...['description', 'interval', 'owner_id', 'parent_ids', 'expires_at', 'created_at', 'group.id', 'group.name'],
      ...statusFields,
      ...['status.check_status_is_up_to_date', 'status.monitoring_status', 'status.notifications_status'],
      ...['status.degraded_since', 'status.unknown_reason_id', 'status.unknown_since', 'status.held_by_service_id'],
      ...['status.last_analysis_id', 'status.last_analysis_time', 'status.last_failure_analysis_id'],
    ],
  },
  {
    name: 'explain_failure',
    title: { en: 'Explain a failure', pl: 'Wyjaśnienie awarii' },
    about:
      'The latest failure of a service, or the one of `change_id`, with its evidence: the checks of the analysis that began it, error types with advice, the details of failed checks, and what differs from the last good analysis.',
    does: 'read',
    operation: 'status_changes.list',
    arguments: { ...service, change_id: 'change_id' },
  },
  {
    name: 'list_checks',
    title: { en: 'List the checks of an analysis', pl: 'Lista sprawdzeń analizy' },
    about:
      'The findings of each station in one analysis. `analysis_id` may also be last_analysis, last_ok_analysis or last_failure_analysis.',
    does: 'read',
    operation: 'checks.list',
    arguments: { ...service, analysis_id: '_analysis_id', result: 'result', ...page },
    shows: [
      ...['analysis_id', 'sensor_id', 'time', 'result', 'response_time', 'data_size', 'error_type_id'],
      ...['error_message', 'path_step', 'sensor.name', 'error_type.name', 'error_type.diagnosis'],
    ],
  },
  {
    name: 'read_service_level',
    title: { en: 'Read a service level', pl: 'Odczyt poziomu usługi' },
    about:
      'Seconds ok, failure and paused of a service over a range, corrections included; by default the last 30 days. The availability is ok / (ok + failure).',
    does: 'read',
    operation: 'services.service_level',
    arguments: { ...service, ...range },
  },
  {
    name: 'list_status_changes',
    title: { en: 'List status changes', pl: 'Historia zmian stanu' },
    about: 'The history of a service as periods of ok, failure and paused. Sort by -start_time for the latest first.',
    does: 'read',
    operation: 'status_changes.list',
    arguments: { ...service, status: 'status', ...range, sort: 'sort', ...page },
    shows: [
      ...['change_id', 'status', 'pause_reason', 'start_time', 'end_time', 'duration', 'description'],
      ...['first_analysis_id', 'acknowledged_at', 'acknowledged_by_account_id', 'acknowledgement_comment'],
    ],
  },
  {
    name: 'list_groups',
    title: { en: 'List groups', pl: 'Lista grup' },
    about: 'Groups of services that the caller may read.',
    does: 'read',
    operation: 'groups.list',
    arguments: { query: 'query', ...page },
    shows: ['id', 'name', 'owner_id', 'is_default'],
  },
  {
    name: 'list_suspensions',
    title: { en: 'List suspensions', pl: 'Lista zawieszeń' },
    about: 'Planned stops of monitoring, or quiet hours, that touch the range. Their ids are those of resume_service.',
    does: 'read',
    operation: 'suspensions.list',
    arguments: { service_id: 'service_id', ...range, sort: 'sort', ...page },
    shows: ['id', 'service_id', 'start_time', 'end_time', 'only_notifications', 'description'],
  },
  {
    name: 'list_corrections',
    title: { en: 'List corrections', pl: 'Lista poprawek' },
    about: 'Agreed truths over time ranges, for the service level alone.',
    does: 'read',
    operation: 'corrections.list',
    arguments: { service_id: 'service_id', ...range, sort: 'sort', ...page },
    shows: ['id', 'service_id', 'start_time', 'end_time', 'status', 'description', 'created_at'],
  },
  {
    name: 'list_incidents',
    title: { en: 'List incidents of status pages', pl: 'Lista incydentów stron statusu' },
    about: 'Incidents and maintenance of public status pages, drafts included, with their updates.',
    does: 'read',
    operation: 'status_page_incidents.list',
    arguments: {
      ...{ status_page_id: 'status_page_id', status: 'status', is_published: 'is_published', sort: 'sort', ...page },
    },
    shows: [
      ...['id', 'status_page_id', 'name', 'status', 'impact', 'is_published', 'is_maintenance', 'started_at'],
      ...['resolved_at', 'scheduled_for', 'scheduled_until', 'component_ids', 'change_ids', 'updates'],
    ],
  },
  {
    name: 'list_report_templates',
    title: { en: 'List report templates', pl: 'Lista szablonów raportów' },
    about: 'Templates from which create_report makes reports.',
    does: 'read',
    operation: 'report_templates.list',
    arguments: { query: 'query', ...page },
    shows: ['id', 'name', 'description', 'owner_id', 'section_ids', 'summary'],
  },
  {
    name: 'read_report',
    title: { en: 'Read the state of a report', pl: 'Stan raportu' },
    about: 'Whether a report is ready, and its progress. The document is at /v3/reports/{id}/pdf.',
    does: 'read',
    operation: 'reports.read',
    arguments: { report_id: '_id' },
    shows: ['id', 'template_id', 'name', 'from', 'to', 'status', 'progress', 'error_message', 'created_at'],
  },
  {
    name: 'suspend_service',
    title: { en: 'Suspend a service', pl: 'Zawieszenie usługi' },
    about:
      'Plans a stop of the monitoring of a service until `end_time`, from now on unless `start_time` says otherwise. With `only_notifications` monitoring goes on and nobody is told.',
    does: 'add',
    operation: 'suspensions.create',
    arguments: {
      ...{ service_id: 'service_id', start_time: 'start_time', end_time: 'end_time' },
      ...{ only_notifications: 'only_notifications', description: 'description' },
    },
    subject: ofService,
  },
  {
    name: 'resume_service',
    title: { en: 'End a suspension', pl: 'Koniec zawieszenia' },
    about: 'Deletes a suspension of list_suspensions, so that the service is monitored again.',
    does: 'end',
    isIdempotent: true,
    operation: 'suspensions.remove',
    arguments: { suspension_id: '_id' },
    subject: {
      ...{ operation: 'suspensions.read', argument: 'suspension_id' },
      shows: ['id', 'service_id', 'service.name', 'start_time', 'end_time', 'description'],
    },
  },
  {
    name: 'acknowledge_failure',
    title: { en: 'Acknowledge a failure', pl: 'Potwierdzenie awarii' },
    about:
      'Says that somebody knows of a failure, by its `change_id`: repeated notifications and its escalation stop until it ends.',
    does: 'change',
    isIdempotent: true,
    operation: 'status_changes.acknowledge',
    arguments: { ...service, change_id: '_change_id', comment: 'comment' },
    subject: ofService,
  },
  {
    name: 'correct_history',
    title: { en: 'Correct the history', pl: 'Poprawka historii' },
    about:
      'Adds an agreed truth over a time range, which the service level and reports count in place of what was measured.',
    does: 'add',
    operation: 'corrections.create',
    arguments: {
      ...{ service_id: 'service_id', start_time: 'start_time', end_time: 'end_time' },
      ...{ status: 'status', description: 'description' },
    },
    subject: ofService,
  },
  {
    name: 'create_report',
    title: { en: 'Order a report', pl: 'Zamówienie raportu' },
    about: 'Makes a report from a template for a range. read_report tells when it is ready.',
    does: 'add',
    operation: 'reports.create',
    arguments: {
      ...{ template_id: 'template_id', from: 'from', to: 'to' },
      ...{ name: 'name', description: 'description' },
    },
    subject: { operation: 'report_templates.read', argument: 'template_id', shows: ['id', 'name'] },
  },
]
