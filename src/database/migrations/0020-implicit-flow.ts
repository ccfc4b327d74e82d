/** The implicit flow of OAuth, for the clients that declare it. */
export const implicitFlow = `
alter table oauth_clients add column is_implicit_flow_allowed boolean not null default false;
`
