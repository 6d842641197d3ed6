import type { RelationPack } from '../relation-pack.js';
import { phrases } from './phrases.js';

/** What is said of choices and tasks. Half-lives: after how many days half of such statements no longer hold, with the reason. */
export const decisions: RelationPack = {
  name: 'decisions',
  relations: [
    {
      name: 'decided',
      object: 'clause',
      holds: 'many',
      halfLifeDays: 700,
      why: 'a decision stands until the next review of the year or two',
      en: phrases(`decided to | decided on | decided that | decided against | have decided to | has decided to | agreed to | agreed on |
        agreed that | settled on | decision is | decision was | decision is to | decision was to | voted to | voted for | resolved to |
        concluded that`),
      zh: phrases(
        `决定 | 决定了 | 同意 | 同意了 | 一致同意 | 达成一致 | 确定了 | 确定 | 敲定了 | 敲定 | 商定 | 结论是 | 决议是 | 決定 | 拍板`,
      ),
    },
    {
      name: 'chose',
      holds: 'one',
      halfLifeDays: 700,
      why: 'one choice stands at a time',
      en: phrases(`chose | chose to | picked | selected | opted for | went with | are going with | is going with | 're going with | choice is |
        choice was | will go with`),
      zh: phrases(`选择 | 选择了 | 选了 | 选用 | 选用了 | 选定 | 选定了 | 定为 | 定下来用 | 選擇 | 选型是`),
    },
    {
      name: 'rejected',
      object: 'clause',
      holds: 'many',
      halfLifeDays: 700,
      why: 'what was turned down comes up again after a year or two',
      en: phrases(`rejected | ruled out | turned down | discarded | decided not to use | declined | vetoed | abandoned | gave up on |
        was rejected because`),
      zh: phrases(
        `否决 | 否决了 | 排除 | 排除了 | 放弃 | 放弃了 | 拒绝 | 拒绝了 | 不采用 | 没有采用 | 不考虑 | 否決 | 放棄了`,
      ),
    },
    {
      name: 'assigned_to',
      holds: 'one',
      halfLifeDays: 45,
      why: 'a task is done or passed on within weeks',
      en: phrases(`is assigned to | was assigned to | assigned to | are assigned to | assignee is | was handed to | was handed over to | is with |
        {o} is working on {s} | {o} will take {s} | {o} picked up {s} | {o} took over {s}`),
      zh: phrases(`分配给 | 分配给了 | 交给 | 交给了 | 派给 | 由{o}处理 | 由{o}跟进 | 负责人改为 | {o}接手{s} | {o}接手了{s} | 转给 | 转给了 |
        由{o}来做`),
    },
    {
      name: 'status',
      holds: 'one',
      halfLifeDays: 30,
      why: 'work in progress changes state within a month',
      en: phrases(
        `status is | is in progress | state is | is marked as | was marked as | is currently | are currently`,
      ),
      zh: phrases(`状态是 | 的状态是 | 目前处于 | 处于 | 进度是 | 标记为 | 狀態是 | 目前是 | 状态改为 | 状态为`),
    },
    {
      name: 'due',
      object: 'clause',
      holds: 'one',
      halfLifeDays: 60,
      why: 'a deadline passes or is moved',
      en: phrases(`is due on | is due by | is due | are due | deadline is | deadline was moved to | is scheduled for | was scheduled for |
        is planned for | was postponed to | was moved to | was rescheduled to | has been postponed to | launches on | ships on |
        starts on | takes place on | will be released on | release date is | is postponed to`),
      zh: phrases(`截止日期是 | 截止到 | 截止时间是 | 截止 | 定在 | 定于 | 推迟到 | 推迟到了 | 延期到 | 延到 | 改期到 | 提前到 | 安排在 |
        计划在{o}上线 | 在{o}发布 | 的时间是 | 上线时间是 | 交付日期是 | 推遲到 | 改到了`),
    },
    {
      name: 'priority',
      holds: 'one',
      halfLifeDays: 60,
      why: 'what matters most changes by the quarter',
      en: phrases(
        `priority is | has priority | is top priority | severity is | priority was raised to | priority was lowered to`,
      ),
      zh: phrases(`优先级是 | 的优先级是 | 优先级为 | 优先级改为 | 优先级调为 | 級別是`),
    },
    {
      name: 'budget',
      holds: 'one',
      halfLifeDays: 200,
      why: 'budgets are set by the half-year',
      en: phrases(
        `budget is | budget was | costs | price is | cost is | is priced at | was raised to $ | salary is | rent is`,
      ),
      zh: phrases(`预算是 | 预算为 | 预算改为 | 价格是 | 费用是 | 成本是 | 花费 | 售价 | 预算增加到 | 月薪是 | 房租是`),
    },
    {
      name: 'goal',
      object: 'clause',
      holds: 'many',
      halfLifeDays: 200,
      why: 'goals are set by the half-year',
      en: phrases(`goal is to | goal is | aims to | aim to | objective is | target is | purpose is to | purpose is`),
      zh: phrases(`目标是 | 的目标是 | 旨在 | 目的是 | 指标是 | 目標是`),
    },
    {
      name: 'reason',
      object: 'clause',
      holds: 'many',
      halfLifeDays: 36_500,
      why: 'why something was done does not change',
      en: phrases(
        `reason is | reason was | the reason for | was chosen because | was chosen for | were chosen because`,
      ),
      zh: phrases(`的原因是 | 理由是 | 的理由是 | 是为了 | 之所以`),
    },
    {
      name: 'approved_by',
      holds: 'many',
      halfLifeDays: 36_500,
      why: 'what happened stays so',
      en: phrases(`was approved by | is approved by | was signed off by | was reviewed by | {o} approved {s} | {o} signed off on {s} |
        {o} reviewed {s}`),
      zh: phrases(`由{o}批准 | 由{o}审批 | {o}批准了{s} | 审批人是 | {o}审核了{s} | 由{o}审核 | {o}通过了{s}`),
    },
    {
      name: 'policy',
      object: 'clause',
      holds: 'many',
      halfLifeDays: 900,
      why: 'rules of a team last a few years',
      en: phrases(`must not | must | should always | should never | are not allowed to | is not allowed to | has to | have to | policy is |
        rule is`),
      zh: phrases(`必须 | 不得 | 禁止 | 不允许 | 规定是 | 要求是 | 一律 | 必須 | 只能`),
    },
    {
      name: 'next_step',
      object: 'clause',
      holds: 'many',
      halfLifeDays: 20,
      why: 'a next step is taken within weeks',
      en: phrases(
        `next step is | next steps are | todo is | action item is | will need to | still needs to | still need to`,
      ),
      zh: phrases(`下一步是 | 下一步 | 待办是 | 接下来要 | 还需要 | 后续要`),
    },
  ],
};
