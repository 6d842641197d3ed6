import type { RelationPack } from '../relation-pack.js';
import { phrases } from './phrases.js';

/** What is said of systems. Half-lives: after how many days half of such statements no longer hold, with the reason. */
export const engineering: RelationPack = {
  name: 'engineering',
  relations: [
    {
      name: 'uses',
      holds: 'many',
      halfLifeDays: 1_000,
      why: 'a stack is kept for years, its parts change one by one',
      en: phrases(`uses | use | using | is using | are using | 're using | is built with | is built on | are built with | relies on |
        adopted the | is powered by | works with`),
      zh: phrases(`使用 | 用的是 | 采用 | 采用了 | 在用 | 用上了 | 使用了 | 基于 | 採用 | 用的 | 依托`),
    },
    {
      name: 'switched_to',
      holds: 'one',
      halfLifeDays: 1_000,
      why: 'what was switched to replaces what was there',
      en: phrases(`switched from {x} to {o} | migrated from {x} to {o} | upgraded from {x} to {o} | moved from {x} to {o} | switched to |
        migrated to | moved over to | upgraded to | was upgraded to | were upgraded to | was migrated to | were migrated to |
        was replaced by | was replaced with | were replaced by | has been replaced by | downgraded to | is migrating to |
        are migrating to`),
      zh: phrases(`从{x}迁移到了{o} | 从{x}迁移到{o} | 从{x}换成了{o} | 从{x}换成{o} | 从{x}升级到{o} | 从{x}切换到{o} | 从{x}改成{o} |
        从{x}改用{o} | 迁移到 | 迁移到了 | 迁到 | 迁到了 | 切换到 | 切换到了 | 换成 | 换成了 | 升级到 | 升级到了 | 升到 | 改成 |
        改成了 | 改用 | 改用了 | 改为 | 替换为 | 替换成 | 换到了 | 遷移到 | 升級到 | 改為`),
    },
    {
      name: 'migrated_from',
      holds: 'many',
      halfLifeDays: 36_500,
      why: 'what happened stays so',
      en: phrases(`migrated from | moved away from | moved off | dropped | stopped using | got rid of | replaced | no longer uses |
        no longer use`),
      zh: phrases(`弃用 | 弃用了 | 不再使用 | 不再用 | 淘汰了 | 停用了 | 下线了`),
    },
    {
      name: 'version',
      holds: 'one',
      halfLifeDays: 200,
      why: 'releases come a few times a year',
      en: phrases(`version is | current version is | is at version | is on version | runs version | is version | latest version is | pinned to |
        is pinned to | was released as`),
      zh: phrases(`版本是 | 的版本是 | 当前版本是 | 最新版本是 | 锁定在 | 发布了 | 版本号是`),
    },
    {
      name: 'runs_on',
      holds: 'many',
      halfLifeDays: 900,
      why: 'platforms change every few years',
      en: phrases(`runs on | run on | running on | is deployed on | is deployed to | are deployed on | are deployed to | deployed to |
        is hosted on | is hosted at | are hosted on | hosted on | is hosted in | runs in | run in | is served from | deploys to`),
      zh: phrases(`运行在 | 部署在 | 部署到 | 部署到了 | 跑在 | 托管在 | 托管于 | 部署于 | 運行在`),
    },
    {
      name: 'written_in',
      holds: 'many',
      halfLifeDays: 2_000,
      why: 'rewrites are rare',
      en: phrases(`is written in | are written in | was written in | written in | was rewritten in | is implemented in | is coded in |
        is rewritten in`),
      zh: phrases(`用{o}写的 | 用{o}编写 | 用{o}开发 | 是用{o}写 | 用{o}实现 | 用{o}重写`),
    },
    {
      name: 'stored_in',
      holds: 'one',
      halfLifeDays: 1_000,
      why: 'data is moved seldom, and then as a whole',
      en: phrases(`is stored in | are stored in | stored in | is kept in | are kept in | is saved in | are saved in | lives under |
        is persisted in | are persisted in | stores its data in | are saved to | is saved to | is written to | are written to |
        are in | is located at | is located in | can be found in | can be found at`),
      zh: phrases(
        `存在 | 存储在 | 存放在 | 保存在 | 存到 | 写入 | 放在 | 位于 | 路径是 | 存儲在 | 的路径是 | 目录是 | 写到`,
      ),
    },
    {
      name: 'depends_on',
      holds: 'many',
      halfLifeDays: 700,
      why: 'dependencies change with releases',
      en: phrases(`depends on | depend on | requires | require | needs | is a dependency of | is blocked by | are blocked by | talks to |
        integrates with | connects to`),
      zh: phrases(`依赖 | 依赖于 | 需要 | 调用 | 调用了 | 连接到 | 对接 | 被{o}阻塞 | 依賴`),
    },
    {
      name: 'port',
      holds: 'one',
      halfLifeDays: 900,
      why: 'ports are kept until a service moves',
      en: phrases(`listens on port | listens on | runs on port | port is | is on port | listening on port | exposes port | default port is |
        is exposed on port`),
      zh: phrases(`监听 | 端口是 | 的端口是 | 端口为 | 监听端口 | 监听在 | 端口改成 | 端口改为 | 端口換成`),
    },
    {
      name: 'value',
      object: 'value',
      holds: 'one',
      halfLifeDays: 300,
      why: 'settings are tuned a few times a year',
      en: phrases(`is now | are now | is | are | was raised from {x} to {o} | was changed from {x} to {o} | was lowered from {x} to {o} | is set to | are set to |
        was set to | set to | defaults to | default is | was changed to | was raised to | was lowered to | was increased to |
        was reduced to | is limited to | is configured as | was bumped to | equals`),
      zh: phrases(`是 | 为 | 从{x}改为{o} | 从{x}调整为{o} | 从{x}调到{o} | 设置为 | 设为 | 设成 | 默认是 | 默认为 | 默认值是 | 调整为 | 调到 |
        上限是 | 限制为 | 配置为 | 的值是 | 改到 | 設為 | 提高到 | 降低到 | 增加到`),
    },
    {
      name: 'maintained_by',
      holds: 'one',
      halfLifeDays: 500,
      why: 'owners change with teams',
      en: phrases(`is maintained by | is owned by | are owned by | are maintained by | owner is | maintainer is | is handled by | is run by |
        is led by | {o} maintains {s} | {o} is responsible for {s} | {o} is in charge of {s} | {o} takes care of {s} | {o} leads {s}`),
      zh: phrases(`由{o}负责 | 由{o}维护 | 的负责人是 | 负责人是 | 维护者是 | {o}负责{s} | {o}维护{s} | 由{o}开发 | 接口人是 | {o}负责维护{s} |
        {o}主管{s}`),
    },
    {
      name: 'caused_by',
      object: 'clause',
      holds: 'many',
      halfLifeDays: 36_500,
      why: 'what happened stays so',
      en: phrases(`was caused by | is caused by | were caused by | root cause was | root cause is | happened because of | failed because of |
        was due to | is due to | {o} caused {s} | {o} broke {s} | crashed because of`),
      zh: phrases(
        `是因为 | 原因是 | 根因是 | 是由{o}引起 | 由{o}导致 | 由{o}引起 | {o}导致了{s} | {o}导致{s} | 起因是 | 因为{o}失败`,
      ),
    },
    {
      name: 'fixed_by',
      object: 'clause',
      holds: 'many',
      halfLifeDays: 36_500,
      why: 'what happened stays so',
      en: phrases(`was fixed by | is fixed by | was fixed in | is fixed in | was solved by | was resolved by | the fix was | fix is |
        workaround is | was resolved in | {o} fixes {s} | {o} fixed {s} | {o} solved {s}`),
      zh: phrases(`在{o}修复 | 在{o}中修复 | 通过{o}解决 | 用{o}解决 | 解决方法是 | 解决办法是 | 修复方法是 | 的修复是 | {o}修复了{s} |
        {o}解决了{s}`),
    },
    {
      name: 'tested_with',
      holds: 'many',
      halfLifeDays: 900,
      why: 'test tools are kept for years',
      en: phrases(`is tested with | are tested with | tests run with | is covered by | tests use | is checked by | is linted with |
        is formatted with`),
      zh: phrases(`用{o}测试 | 测试用 | 测试框架是 | 用{o}检查`),
    },
    {
      name: 'address',
      holds: 'one',
      halfLifeDays: 700,
      why: 'hosts are renamed when systems move',
      en: phrases(`address is | new address is | url is | endpoint is | is available at | is reachable at | repo is | repository is | host is | hostname is | domain is |
        base url is | ip is | ip address is | dashboard is`),
      zh: phrases(
        `地址是 | 网址是 | 链接是 | 接口地址是 | 仓库是 | 域名是 | 主机是 | 仓库地址是 | 访问地址是 | ip是 | url是`,
      ),
    },
    {
      name: 'is_a',
      holds: 'many',
      halfLifeDays: 5_000,
      why: 'what something is hardly changes',
      en: phrases(`is a kind of | is a type of | is an instance of | is our | is the team's | serves as | acts as`),
      zh: phrases(`是一种 | 是一个 | 是一款 | 是我们的 | 用作 | 作为`),
    },
  ],
};
