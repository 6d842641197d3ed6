import { describe, expect, it } from 'vitest';
import { relationsOf } from './relations-of.js';

const said = (text: string, speaker: string | undefined = 'Mia'): string[] =>
  relationsOf(text, { speaker }).map(
    ({ subject, relation, object, state }) =>
      `${subject} ${relation} ${object}${state === 'holds' ? '' : ` (${state})`}`,
  );

describe('relations of people', () => {
  it.each([
    ['Priya moved to Oslo.', ['priya lives_in oslo']],
    ['Priya moved from Oslo to Lima.', ['priya lives_in lima']],
    ['I live in Oslo.', ['mia lives_in oslo']],
    ['My sister lives in Oslo.', ["mia's sister lives_in oslo"]],
    ['My boss is Priya.', ['mia reports_to priya']],
    ['Priya is my boss.', ['mia reports_to priya']],
    ['Priya moved to Oslo and works at Siemens.', ['priya lives_in oslo', 'priya works_at siemens']],
    ['Tomas and Priya live in Oslo', ['priya lives_in oslo', 'tomas lives_in oslo']],
    ["Priya's cat is called Miso", ['priya pet miso']],
    ["I'm allergic to peanuts.", ['mia allergic_to peanuts']],
    ['Priya is 30 years old', ['priya age 30']],
    ['My favorite color is teal.', ['mia favourite teal']],
    ['王伟搬到上海', ['王伟 lives_in 上海']],
    ['王伟从北京搬到上海', ['王伟 lives_in 上海']],
    ['我住在杭州', ['mia lives_in 杭州']],
    ['我妹妹住在广州', ['mia的妹妹 lives_in 广州']],
    ['我的老板是李经理', ['mia reports_to 李经理']],
    ['王伟搬到上海，现在在腾讯工作', ['王伟 lives_in 上海', '王伟 works_at 腾讯']],
    ['王伟和张敏住在上海', ['张敏 lives_in 上海', '王伟 lives_in 上海']],
    ['我对花生过敏', ['mia allergic_to 花生']],
    ['张敏今年30岁', ['张敏 age 30']],
    ['小王的生日是5月7日', ['小王 birthday 5月7日']],
  ])('%s', (text, relations) => {
    expect(said(text)).toEqual(relations);
  });
});

describe('relations of systems and decisions', () => {
  it.each([
    ['The billing service runs on Kubernetes.', ['billing service runs_on kubernetes']],
    ['We use Redis, Kafka and PostgreSQL 16.', ['mia uses redis', 'mia uses kafka', 'mia uses postgresql 16']],
    ['We migrated from MySQL to PostgreSQL 16.', ['mia switched_to postgresql 16']],
    ['The API listens on port 8080.', ['api port 8080']],
    ['The retry limit was raised from 5 to 10.', ['retry limit value 10']],
    ['Our editor is Vim.', ["mia's editor value vim"]],
    ['The exporter is written in Go.', ['exporter written_in go']],
    ['Priya maintains the exporter.', ['exporter maintained_by priya']],
    ['The launch was postponed to 5 June.', ['launch due 5 june']],
    ['数据库端口是5432', ['数据库 port 5432']],
    ['数据库从MySQL迁移到了PostgreSQL', ['数据库 switched_to postgresql']],
    ['后端用Go写的', ['后端 written_in go']],
    ['李经理负责支付模块', ['支付模块 maintained_by 李经理']],
    ['项目由陈静怡负责', ['项目 maintained_by 陈静怡']],
    ['会议推迟到6月5日', ['会议 due 6月5日']],
    ['我们用的是PostgreSQL 16和Redis', ['mia uses postgresql 16', 'mia uses redis']],
  ])('%s', (text, relations) => {
    expect(said(text)).toEqual(relations);
  });

  it.each([
    'The scope is one reason per item.',
    'The goal is reached.',
    'The phone number is taken out of the notes.',
    'It came in a second, although our guess was wrong',
  ])('nothing is taken for what it only resembles: %s', (text) => {
    expect(said(text)).toEqual([]);
  });

  it.each([
    ['He noted a second, although our throttle is 80.', ["mia's throttle value 80"]],
    ['The batch size is now 64.', ['batch size value 64']],
    ['We use Redis, Priya says.', ['mia uses redis']],
    ['我们用的是Redis，李哲不喜欢', ['mia uses redis']],
  ])('only what belongs to it: %s', (text, relations) => {
    expect(said(text)).toEqual(relations);
  });

  it.each(['The sky is blue.', 'Priya is tired.', '天空是蓝色的', 'It works.'])('nothing in: %s', (text) => {
    expect(said(text)).toEqual([]);
  });
});

describe('whether it holds', () => {
  it.each([
    ['Priya no longer works at Siemens', ['priya works_at siemens (not)']],
    ['Priya used to live in Oslo', ['priya lives_in oslo (was)']],
    ['Priya lived in Oslo', ['priya lives_in oslo (was)']],
    ['Priya has lived in Oslo since May', ['priya lives_in oslo']],
    ['Priya will move to Lima', ['priya lives_in lima (planned)']],
    ['王伟以前住在成都', ['王伟 lives_in 成都 (was)']],
    ['王伟不住在成都', ['王伟 lives_in 成都 (not)']],
    ['王伟打算搬到成都', ['王伟 plans 搬到成都', '王伟 lives_in 成都 (planned)']],
  ])('%s', (text, relations) => {
    expect(said(text)).toEqual(relations);
  });

  it.each(['Does Priya live in Oslo?', 'Who lives in Oslo?', '王伟住在成都吗？', '谁住在北京？'])(
    'a question states nothing: %s',
    (text) => {
      expect(said(text)).toEqual([]);
    },
  );

  it.each(['She lives in Oslo.', 'They moved to Lima.', '他住在北京', '她搬到了上海'])(
    'nobody knows who: %s',
    (text) => {
      expect(said(text)).toEqual([]);
    },
  );
});

describe('aliases', () => {
  it.each([
    ['Robert, called Bob, joined Siemens.', ['robert alias bob', 'robert works_at siemens']],
    ['Robert (Bob) came.', ['robert alias bob']],
    ['Robert, also known as Bob, came.', ['robert alias bob']],
    ['Amazon Web Services (AWS) was down.', ['amazon web services alias aws']],
    ['王伟（小王）喜欢爬山', ['王伟 alias 小王', '王伟 likes 爬山']],
    ['王伟又名小王', ['王伟 alias 小王']],
  ])('only where the text says so: %s', (text, relations) => {
    expect(said(text)).toEqual(relations);
  });

  it.each(['Priya (Oslo) came.', 'Robert met Bob.', '王伟和小王来了', '王伟（上海）来了'])('not in: %s', (text) => {
    expect(said(text).filter((each) => each.includes('alias'))).toEqual([]);
  });
});

describe('the speaker', () => {
  it('is who says I, and i where nobody knows who', () => {
    expect(relationsOf('I live in Oslo')[0]).toMatchObject({ subject: 'i', object: 'oslo' });
    expect(relationsOf('我住在杭州', { speaker: '王伟' })[0]).toMatchObject({ subject: '王伟', object: '杭州' });
  });
});

it('says which words a relation rests on, and how it ages', () => {
  const text = 'By the way, Priya moved to Oslo last week.';
  const [relation] = relationsOf(text);
  expect(text.slice(...relation!.words)).toBe('Priya moved to Oslo');
  expect(relation).toMatchObject({ holds: 'one', halfLifeDays: 1_500 });
});
