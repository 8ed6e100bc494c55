/** Resources of operators' commands. `account`: actions that IAM cannot limit to a resource. */
export type OperatorResource =
  | 'account'
  | 'alarms'
  | 'apiFunctionLogs'
  | 'busDeadLetterQueue'
  | 'busQueue'
  | 'configs'
  | 'configVersions'
  | 'deadLetterQueue'
  | 'deployments'
  | 'erasures'
  | 'historyDeadLetterQueue'
  /** The table of promo events, without the tokens of codes. */
  | 'listedPromoEvents'
  | 'logs'
  | 'muteRules'
  | 'ownMuteRules'
  | 'promoEvents'
  | 'queue'
  | 'stack'
  | 'topics'
  | 'users'
  | 'webAcl';

/** Policies for operators, by output name. Each contains those before it. */
export const OPERATOR_POLICIES = ['Viewer', 'Editor', 'OnCall'] as const;
export type OperatorPolicy = (typeof OPERATOR_POLICIES)[number];

/** The calls of some commands. */
export interface Permission {
  readonly policy: OperatorPolicy;
  /** The commands that need it, as words after `customer-data`. */
  readonly commands: readonly string[];
  readonly actions: Readonly<Partial<Record<OperatorResource, readonly string[]>>>;
}

/**
 * Showing messages means receiving them and making them visible again. Whoever may do that can also
 * hide them for hours.
 */
const LOOK = ['sqs:GetQueueAttributes', 'sqs:ReceiveMessage', 'sqs:ChangeMessageVisibility'];

/**
 * The permissions that SQS asks for a move of messages, besides the permission to send them to the
 * other queue.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/troubleshooting-dlq-redrive.html
 */
const MOVE = ['sqs:StartMessageMoveTask', 'sqs:ReceiveMessage', 'sqs:DeleteMessage'];

/**
 * The calls of each `customer-data` command, except those that use deployment credentials: `smoke`,
 * which makes none with `--without-writes`, `promo copy`, `promo import` and `doctor --stage`.
 */
export const PERMISSIONS: readonly Permission[] = [
  {
    policy: 'Viewer',
    commands: ['--stack'],
    actions: { stack: ['cloudformation:DescribeStacks'] },
  },
  {
    policy: 'Viewer',
    commands: [
      'clients list',
      'clients show',
      'console',
      'keys list',
      'config show',
      'config schema',
      'config diff',
      'rollout show',
    ],
    actions: { configs: ['dynamodb:GetItem', 'dynamodb:Scan'] },
  },
  {
    policy: 'Viewer',
    commands: ['config diff', 'config history', 'config schema', 'config show', 'rollout show'],
    actions: { configVersions: ['dynamodb:GetItem'] },
  },
  {
    policy: 'Viewer',
    commands: [
      'clients list',
      'clients remove',
      'clients set-app-clients',
      'clients show',
      'config diff',
      'config history',
      'keys list',
      'keys revoke',
    ],
    actions: { configVersions: ['dynamodb:Query'], configs: ['dynamodb:GetItem'] },
  },
  {
    policy: 'Viewer',
    commands: ['promo list'],
    actions: {
      listedPromoEvents: ['dynamodb:Query'],
      configs: ['dynamodb:GetItem'],
      configVersions: ['dynamodb:Query'],
      queue: ['sqs:GetQueueAttributes'],
      deadLetterQueue: ['sqs:GetQueueAttributes'],
    },
  },
  {
    policy: 'OnCall',
    commands: ['queue redrive --dry-run', 'promo list --search-dead-letters', 'user erase'],
    // No item is read: the time of the response is.
    actions: { erasures: ['dynamodb:Query'], promoEvents: ['dynamodb:GetItem'] },
  },
  {
    policy: 'OnCall',
    commands: ['queue show'],
    actions: {
      deadLetterQueue: LOOK,
      busDeadLetterQueue: LOOK,
      queue: ['sqs:GetQueueAttributes'],
      busQueue: ['sqs:GetQueueAttributes'],
    },
  },
  {
    policy: 'OnCall',
    commands: ['queue redrive --dry-run'],
    actions: {
      deadLetterQueue: ['sqs:GetQueueAttributes', 'sqs:ListMessageMoveTasks'],
      busDeadLetterQueue: ['sqs:GetQueueAttributes', 'sqs:ListMessageMoveTasks'],
    },
  },
  {
    policy: 'Viewer',
    commands: ['doctor'],
    actions: {
      deadLetterQueue: ['sqs:GetQueueAttributes'],
      busDeadLetterQueue: ['sqs:GetQueueAttributes'],
      historyDeadLetterQueue: ['sqs:GetQueueAttributes'],
      configVersions: ['dynamodb:Scan', 'dynamodb:Query'],
      stack: ['cloudformation:GetTemplate', 'cloudformation:ListStackResources'],
      account: ['cloudwatch:DescribeAlarms', 'cloudwatch:ListAlarmMuteRules'],
      muteRules: ['cloudwatch:GetAlarmMuteRule'],
      topics: ['sns:GetTopicAttributes', 'sns:ListSubscriptionsByTopic'],
    },
  },
  {
    policy: 'Editor',
    commands: [
      'clients create',
      'clients set-app-clients',
      'clients remove',
      'keys add',
      'keys revoke',
      'config publish',
      'config rollback',
      'config undo',
      'rollout widen',
      'rollout finish',
      'rollout stop',
    ],
    actions: { configs: ['dynamodb:UpdateItem', 'dynamodb:DeleteItem'] },
  },
  {
    policy: 'Editor',
    commands: ['clients create'],
    // What is known of the id of a new client.
    actions: { configVersions: ['dynamodb:Query'], listedPromoEvents: ['dynamodb:Query'] },
  },
  {
    policy: 'Editor',
    commands: ['doctor', 'keys list', 'keys revoke', 'promo list'],
    // Only those who may start a query know its id, which is needed to read its results.
    actions: { apiFunctionLogs: ['logs:StartQuery'], account: ['logs:GetQueryResults'] },
  },
  {
    policy: 'OnCall',
    commands: ['queue redrive'],
    actions: {
      deadLetterQueue: MOVE,
      busDeadLetterQueue: MOVE,
      queue: ['sqs:GetQueueAttributes', 'sqs:SendMessage'],
      busQueue: ['sqs:GetQueueAttributes', 'sqs:SendMessage'],
    },
  },
  {
    policy: 'OnCall',
    commands: ['promo list --search-dead-letters'],
    actions: { deadLetterQueue: LOOK },
  },
  {
    policy: 'OnCall',
    commands: ['user erase'],
    actions: {
      erasures: ['dynamodb:PutItem'],
      listedPromoEvents: ['dynamodb:Query'],
      promoEvents: ['dynamodb:DeleteItem'],
    },
  },
];

/** The calls of the AWS CLI and the console that the runbook needs besides these commands. */
export const RUNBOOK_ACTIONS: Permission['actions'] = {
  account: [
    'cloudwatch:DescribeAlarmHistory',
    'cloudwatch:GetDashboard',
    'cloudwatch:GetMetricData',
    'cloudwatch:ListMetrics',
    'events:ListRules',
    'lambda:GetAccountSettings',
    'lambda:ListEventSourceMappings',
    'logs:DescribeLogGroups',
    'logs:DescribeQueryDefinitions',
    'xray:BatchGetTraces',
    'xray:GetTraceSummaries',
  ],
  alarms: ['cloudwatch:EnableAlarmActions', 'cloudwatch:PutAlarmMuteRule'],
  busDeadLetterQueue: ['sqs:CancelMessageMoveTask'],
  deadLetterQueue: ['sqs:CancelMessageMoveTask'],
  deployments: [
    'codedeploy:GetDeployment',
    'codedeploy:ListDeployments',
    'codedeploy:StopDeployment',
  ],
  ownMuteRules: ['cloudwatch:DeleteAlarmMuteRule', 'cloudwatch:PutAlarmMuteRule'],
  logs: ['logs:DescribeLogStreams', 'logs:FilterLogEvents', 'logs:GetLogEvents', 'logs:StartQuery'],
  users: ['cognito-idp:AdminDisableUser', 'cognito-idp:AdminUserGlobalSignOut'],
  // Sampled requests have the addresses of callers.
  webAcl: ['wafv2:GetSampledRequests'],
};

/** Returns the actions of a policy, by resource. */
export function actionsOf(
  policy: OperatorPolicy,
): ReadonlyMap<OperatorResource, readonly string[]> {
  const contained = OPERATOR_POLICIES.slice(0, OPERATOR_POLICIES.indexOf(policy) + 1);
  const permitted = [
    ...PERMISSIONS.filter((permission) => contained.includes(permission.policy)),
    ...(policy === 'OnCall' ? [{ actions: RUNBOOK_ACTIONS }] : []),
  ];
  const actions = permitted.flatMap((permission) => Object.entries(permission.actions));
  const byResource = Map.groupBy(actions, ([resource]) => resource as OperatorResource);
  return new Map(
    [...byResource].map(([resource, same]) => [
      resource,
      [...new Set(same.flatMap(([, names]) => names))].sort(),
    ]),
  );
}
