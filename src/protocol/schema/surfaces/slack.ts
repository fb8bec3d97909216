/** The settings of a target of type `slack`: a Slack app that is installed in a workspace of Slack, and one channel of it. */
import * as z from '../zod.ts';
import { LIMITS } from '../../limits.ts';
import { Name } from '../name.ts';

const BotToken = z
  .string()
  .regex(/^xoxb-[A-Za-z0-9-]{10,250}$/, 'A bot token begins with xoxb-')
  .describe('The bot token of the Slack app. It is never listed.');
const SigningSecret = z
  .string()
  .regex(/^[A-Za-z0-9]{16,128}$/, 'Copy it from the basic information of the Slack app')
  .describe('The signing secret of the Slack app. It is never listed.');
const Channel = z
  .string()
  .regex(/^[CDG][A-Z0-9]{2,30}$/, 'Give the id of the channel, such as C0123456789')
  .describe('The id of the channel that requests are posted to.');
const SlackUser = z
  .string()
  .regex(/^(?:[TE][A-Z0-9]{2,30}\/)?[UW][A-Z0-9]{2,30}$/, 'Give the id of a user, or TEAM/USER');
const SlackPeople = z
  .record(SlackUser, Name)
  .refine(
    (people) => Object.keys(people).length <= LIMITS.slackPeople,
    `At most ${LIMITS.slackPeople} people`,
  )
  .describe(
    'The subjects of people of Slack, by their user ids. Other people are `slack:TEAM/USER`.',
  );
const ApiUrl = z
  .string()
  .min(1)
  .max(LIMITS.toolUrlChars)
  .describe(
    'Another address of the API of Slack, for tests; only where private targets are allowed.',
  );

export const SLACK = {
  settings: {
    type: z.literal('slack'),
    botToken: BotToken,
    channel: Channel,
    signingSecret: SigningSecret,
    people: SlackPeople.exactOptional(),
    apiUrl: ApiUrl.exactOptional(),
  },
  changes: {
    botToken: BotToken.exactOptional(),
    channel: Channel.exactOptional(),
    signingSecret: SigningSecret.exactOptional(),
    people: SlackPeople.nullable().exactOptional().describe('Null removes it.'),
    apiUrl: ApiUrl.nullable().exactOptional().describe('Null removes it.'),
  },
  view: {
    type: z.literal('slack'),
    channel: z.string(),
    people: z.record(z.string(), z.string()).exactOptional(),
    apiUrl: z.string().exactOptional(),
  },
};
