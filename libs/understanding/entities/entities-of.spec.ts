import { describe, expect, it } from 'vitest';
import { entitiesOf, mentionsOf } from './entities-of.js';

const found = (text: string, speaker?: string): string[] =>
  entitiesOf(text, { speaker }).map(({ kind, name }) => `${kind} ${name}`);

describe('people in English', () => {
  it.each([
    ['We had lunch with Priya and Ondrash.', ['person Priya', 'name Ondrash']],
    ['Priya came late.', ['person Priya']],
    ['Ask Priya Raman about it', ['person Priya Raman', 'person Priya']],
    ["Priya's laptop broke", ['person Priya']],
    ['It was Dr. Okafor who called', ['person Okafor']],
    ['Then Professor Lindqvist left', ['person Lindqvist']],
    ['Yesterday Priya resigned', ['person Priya']],
    ['I met Jean-Luc there', ['name Jean-Luc']],
    ['Grace said no', ['person Grace']],
    ['they told Grace', ['person Grace']],
    ['Tomás came late', ['person Tomás']],
    ['ByteForge retries twice', ['name ByteForge']],
  ])('%s', (text, names) => {
    expect(found(text)).toEqual(names);
  });

  it.each([
    'Grace is a virtue that few have',
    'Will it rain?',
    'Mark the box. May I come? Hope so.',
    'Thanks! Great job, see you on Monday in March.',
    'I am fine. I’m OK.',
    'THIS IS REALLY LOUD',
    'Nobody knows. Everything works. Deploys are slow.',
    'He speaks English and German',
  ])('finds nobody in: %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('takes the speaker for a person wherever the name stands', () => {
    expect(found('Zubin forgot the keys', 'Zubin Mehra')).toEqual(['person Zubin']);
    expect(found('Zubin forgot the keys')).toEqual([]);
  });
});

describe('people in Chinese', () => {
  it.each([
    ['昨天和王伟吃饭', ['person 王伟']],
    ['王伟说他不来', ['person 王伟']],
    ['张晓明负责前端', ['person 张晓明']],
    ['我同事陈静怡很厉害', ['person 陈静怡']],
    ['请联系李经理', ['person 李经理']],
    ['欧阳娜在学钢琴', ['person 欧阳娜']],
    ['小王和老李都到了', ['person 小王', 'person 老李']],
    ['王伟，你好', ['person 王伟']],
    ['刘芳是我的妻子', ['person 刘芳']],
    ['赵磊刚从上海回来', ['person 赵磊', 'place 上海']],
    ['李哲和赵磊一起做', ['person 李哲', 'person 赵磊']],
  ])('%s', (text, names) => {
    expect(found(text)).toEqual(names);
  });

  it.each([
    '我很高兴见到你',
    '马上开会，请准备文件',
    '周三下午有时间吗',
    '这个方法不安全',
    '温度太高了',
    '于是大家都走了',
    '黄色的花和白色的云',
    '应该没有毛病',
    '小时候我喜欢小说',
    '任务成功完成',
    '程序员关心的是性能',
    '毕业以后一直很忙',
  ])('finds nobody in: %s', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('organisations, places and works', () => {
  it.each([
    ['She studies at the University of Otago', ['organisation University of Otago']],
    ['the offer from Vantor Labs', ['organisation Vantor Labs']],
    ['a week at Lake Garda', ['place Lake Garda']],
    ['flights to New Zealand and Oslo', ['place New Zealand', 'place Oslo']],
    ['Lisbon was warm', ['place Lisbon']],
    ['he left for Microsoft', ['organisation Microsoft']],
    ['住在杭州，常去上海', ['place 杭州', 'place 上海']],
    ['毕业于南京大学', ['organisation 南京大学']],
    ['他在蓝鲸科技有限公司上班', ['organisation 蓝鲸科技有限公司']],
    ['在读《活着》', ['work 活着']],
    ['用微信联系', ['tool 微信']],
  ])('%s', (text, names) => {
    expect(found(text)).toEqual(names);
  });

  it.each(['这家公司不错', '我们公司搬家了', '他在一家医院工作', '考上大学'])('no name: %s', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('tools, versions, paths, identifiers and addresses', () => {
  it.each([
    ['the app is in React', ['tool React']],
    ['we react to alerts and go home', []],
    ['React to alerts quickly', []],
    ['runs postgresql here', ['tool postgresql']],
    ['on PostgreSQL 16 now', ['tool PostgreSQL', 'version PostgreSQL 16']],
    ['升级到PostgreSQL 16了', ['tool PostgreSQL', 'version PostgreSQL 16']],
    ['bumped to v2.3.1', ['version v2.3.1']],
    ['pi is 3.14', []],
    ['see src/app/main.ts', ['path src/app/main.ts']],
    ['edit /etc/nginx/nginx.conf', ['path /etc/nginx/nginx.conf']],
    ['run ./scripts/start.sh', ['path ./scripts/start.sh']],
    ['open package.json', ['path package.json']],
    ['yes and/or no, 24/7, 1/2', []],
    ['the user_id column', ['identifier user_id']],
    ['it threw ERR_POOL_EXHAUSTED', ['identifier ERR_POOL_EXHAUSTED']],
    ['closed JIRA-123', ['identifier JIRA-123']],
    ['call getUserName first', ['identifier getUserName']],
    ['use std::vector', ['identifier std::vector']],
    ['fixed in #482', ['identifier #482']],
    ['bind 10.0.0.7', ['identifier 10.0.0.7']],
    ['write to ops@example.org', ['email ops@example.org']],
    ['at https://example.org/a?b=c#d.', ['url https://example.org/a?b=c#d']],
    ['数据写入user_events表', ['identifier user_events']],
  ])('%s', (text, names) => {
    expect(found(text)).toEqual(names);
  });

  it('matches a version with and without its v', () => {
    expect(entitiesOf('v2.3.1')[0]!.folded).toBe('2.3.1');
  });
});

describe('what is given back', () => {
  it('has each name once, where it stands first, and every mention on request', () => {
    const text = 'we asked Priya, then PRIYA again';
    expect(entitiesOf(text).map(({ words }) => words)).toEqual([[9, 14]]);
    expect(mentionsOf(text).map(({ words }) => text.slice(...words))).toEqual(['Priya', 'PRIYA']);
  });

  it('gives the words as they stand in the text, also full-width ones', () => {
    const text = '昨天把ＭｙＳＱＬ换掉';
    const [tool] = entitiesOf(text);
    expect(tool).toMatchObject({ folded: 'mysql', kind: 'tool' });
    expect(text.slice(...tool!.words)).toBe('ＭｙＳＱＬ');
  });

  it('ends somewhere', () => {
    const names = Array.from({ length: 2_000 }, (_, at) => `item_${at}`).join(' ');
    expect(entitiesOf(names)).toHaveLength(256);
  });
});
