/** When a person last confirmed that the services of a component fail, so that its page need not wait to show it. */
export const confirmedComponents = `
alter table status_page_components add column confirmed_at timestamptz;
`
