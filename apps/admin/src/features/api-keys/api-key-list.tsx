'use client'

import type { ApiKeyRow, ApiKeyState } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { developerAddresses } from '../../developer-addresses.ts'
import { developerPaths } from '../../developer-paths.ts'
import { DialogAct, defineDialogAct } from '../../kit/act/define-act.tsx'
import { RowDialogAct } from '../../kit/act/row-act.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { defineList, ListPage } from '../../kit/list/define-list.tsx'
import { EmptyList, useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { useForbidden } from '../../session/operator-context.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Link } from '../../ui/link.tsx'
import { Raw } from '../../ui/text.tsx'
import { ScopeWords } from './scope-words.tsx'

const loadDialogs = () => import('./api-key-dialogs.tsx')
const CreateApiKey = dynamic(() => loadDialogs().then((module) => module.CreateApiKey), { ssr: false })
const RevokeApiKey = dynamic(() => loadDialogs().then((module) => module.RevokeApiKey), { ssr: false })

const useWords = () => useTranslations('apiKeys')
const permission = 'api_key.manage'

const createApiKey = defineDialogAct(useWords, {
  icon: 'plus',
  permission,
  words: (t) => ({ label: t('create'), hint: t('createHint'), forbidden: (who) => t('forbidden', who) }),
  dialog: (_, close) => <CreateApiKey onClose={close} />,
})

const revokeApiKey = defineDialogAct(useWords, {
  icon: 'lock',
  permission,
  words: (t) => ({ label: t('revoke'), hint: t('revokeHint'), forbidden: (who) => t('forbidden', who) }),
  dialog: (apiKey: ApiKeyRow, close) => <RevokeApiKey apiKey={apiKey} onClose={close} />,
})

const tones: Readonly<Record<ApiKeyState, Tone>> = { active: 'ok', expired: 'quiet', revoked: 'quiet' }

function KeyState({ state }: { state: ApiKeyState }) {
  const t = useTranslations('apiKeys.states')
  return <Badge tone={tones[state]}>{t(state)}</Badge>
}

const apiKeys = defineList(developerAddresses.developers)<ApiKeyRow>({
  name: 'developers',
  useWords,
  useRefusal() {
    const t = useWords()
    const forbidden = useForbidden(permission)
    return forbidden && { title: t('forbiddenTitle'), hint: t('forbidden', forbidden) }
  },
  Actions: () => (
    <>
      <Link ahead href={developerPaths.webhooks()}>
        {useWords()('toWebhooks')}
      </Link>
      <Link ahead href={developerPaths.imports()}>
        {useWords()('imports')}
      </Link>
      <DialogAct of={createApiKey} />
    </>
  ),
  useRows: (query) => useListPage(useTRPC().apiKey.list.queryOptions(query)),
  rowKey: ({ id }) => id,
  // What was done with it: a key has no page of its own.
  rowHref: ({ id }) => paths.audit({ q: id }),
  useRowActs: () => (apiKey) =>
    apiKey.state === 'active' ? <RowDialogAct of={revokeApiKey} given={apiKey} /> : null,
  useTabs() {
    const t = useWords()
    const tabs = ([null, 'over'] as const).map((state) => ({
      key: state ?? 'active',
      label: t(`tabs.${state ?? 'active'}`),
      sets: { state },
    }))
    return { label: t('tabs.label'), tabs }
  },
  Empty: ({ list }) => <EmptyList t={useWords()} list={list} icon="key" />,
  useColumns() {
    const column = columnsOf(useTranslations('apiKeys.columns'))
    return [
      column.text('name', ({ name }) => name, { card: 'head' }),
      column.cell('hint', ({ hint }) => <Raw>{hint}…</Raw>, { card: 'sub' }),
      column.cell('state', ({ state }) => <KeyState state={state} />, { card: 'headEnd' }),
      column.cell('scopes', ({ scopes }) => <ScopeWords scopes={scopes} />),
      column.time('lastUsedAt', ({ lastUsedAt }) => lastUsedAt),
      column.time('expiresAt', ({ expiresAt }) => expiresAt, { from: 'wide' }),
      column.text('createdBy', ({ createdBy }) => createdBy, { from: 'widest' }),
      column.time('createdAt', ({ createdAt }) => createdAt, { from: 'widest' }),
    ]
  },
})

/** The keys of the company's other systems, for who looks after them. */
export const ApiKeyList = () => <ListPage definition={apiKeys} />
