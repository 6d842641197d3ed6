import type { RelationPack } from '../relation-pack.js';
import { phrases } from './phrases.js';

/** What is said of people. Half-lives: after how many days half of such statements no longer hold, with the reason. */
export const people: RelationPack = {
  name: 'people',
  relations: [
    {
      name: 'alias',
      holds: 'many',
      halfLifeDays: 36_500,
      why: 'a name stays',
      en: phrases(`called | also called | also known as | aka | a.k.a. | nicknamed | is nicknamed | goes by | nickname is | is short for |
        stands for | better known as | everyone calls me | is also called | is also known as`),
      zh: phrases(`又名 | 又称 | 又叫 | 也叫 | 简称 | 人称 | 外号叫 | 外号是 | 小名叫 | 小名是 | 昵称是 | 英文名叫 | 英文名是 | 别名是 | 绰号叫 |
        大家都叫他 | 大家都叫她 | 又稱 | 簡稱`),
    },
    {
      name: 'lives_in',
      holds: 'one',
      halfLifeDays: 1_500,
      why: 'people move every few years',
      en: phrases(`moved from {x} to {o} | lives in | live in | lived in | living in | moved to | moving to | move to | moved into |
        relocated to | relocating to | resides in | settled in | is based in | am based in | 'm based in | are based in |
        new home is in | lives at | live at | moved back to`),
      zh: phrases(`从{x}搬到了{o} | 从{x}搬到{o} | 从{x}搬去{o} | 住在 | 搬到 | 搬到了 | 搬去 | 搬去了 | 搬至 | 定居在 | 定居于 | 家在 |
        住址是 | 现居 | 移居到 | 搬回 | 搬回了 | 居住在`),
    },
    {
      name: 'from',
      holds: 'one',
      halfLifeDays: 36_500,
      why: 'where someone was born does not change',
      en: phrases(`was born in | born in | comes from | come from | is from | am from | 'm from | grew up in | is originally from |
        am originally from | hometown is | home country is`),
      zh: phrases(`出生在 | 出生于 | 来自 | 老家在 | 老家是 | 家乡是 | 家乡在 | 在{o}长大 | 在{o}出生 | 籍贯是`),
    },
    {
      name: 'works_at',
      holds: 'one',
      halfLifeDays: 1_000,
      why: 'a job lasts about three years',
      en: phrases(`works at | work at | worked at | working at | works for | work for | worked for | working for | joined | joins | got a job at |
        started at | is employed by | employer is | started working at | started working for`),
      zh: phrases(
        `在{o}工作 | 在{o}上班 | 在{o}任职 | 就职于 | 任职于 | 入职 | 入职了 | 加入 | 加入了 | 跳槽到 | 跳槽去了 | 公司是 | 供职于`,
      ),
    },
    {
      name: 'works_as',
      holds: 'one',
      halfLifeDays: 1_200,
      why: 'roles change with a promotion or a new job',
      en: phrases(`works as | work as | worked as | working as | job is | job title is | title is | was promoted to | got promoted to |
        is employed as | profession is | occupation is | role is`),
      zh: phrases(`担任 | 职位是 | 职业是 | 工作是 | 升任 | 升职为 | 晋升为 | 被提拔为 | 转岗做 | 当上了`),
    },
    {
      name: 'studies_at',
      holds: 'one',
      halfLifeDays: 1_000,
      why: 'a course takes a few years',
      en: phrases(`studies at | study at | studied at | studying at | goes to school at | graduated from | enrolled at | enrolled in |
        was accepted to | attends`),
      zh: phrases(`在{o}读书 | 在{o}上学 | 在{o}读研 | 毕业于 | 考上 | 考上了 | 就读于 | 从{o}毕业 | 学校是`),
    },
    {
      name: 'studies',
      holds: 'many',
      halfLifeDays: 1_000,
      why: 'a course takes a few years',
      en: phrases(`majors in | major is | majored in | is studying | am studying | 'm studying | is learning | am learning | 'm learning |
        started learning | degree is in`),
      zh: phrases(`专业是 | 主修 | 在学 | 正在学 | 学的是 | 攻读`),
    },
    {
      name: 'spouse',
      holds: 'one',
      halfLifeDays: 5_500,
      why: 'marriages last about fifteen years at the median',
      en: phrases(`is married to | am married to | 'm married to | got married to | married | wife is | husband is | spouse is | {o} is {s} wife |
        {o} is {s} husband | wife, {o} | husband, {o}`),
      zh: phrases(`嫁给 | 嫁给了 | 娶了 | 妻子是 | 丈夫是 | 老公是 | 老婆是 | 太太是 | 先生是 | 妻子叫 | 丈夫叫 | 老公叫 | 老婆叫 | 和{o}结婚 |
        跟{o}结婚 | 与{o}结婚`),
    },
    {
      name: 'partner',
      holds: 'one',
      halfLifeDays: 900,
      why: 'couples that are not married part sooner',
      en: phrases(`is dating | am dating | 'm dating | started dating | is engaged to | am engaged to | girlfriend is | boyfriend is |
        partner is | fiance is | fiancee is | {o} is {s} girlfriend | {o} is {s} boyfriend | {o} is {s} partner`),
      zh: phrases(`女朋友是 | 男朋友是 | 女友是 | 男友是 | 女朋友叫 | 男朋友叫 | 和{o}在一起 | 跟{o}交往 | 和{o}交往 | 对象是 | 未婚妻是 |
        未婚夫是`),
    },
    {
      name: 'child',
      holds: 'many',
      halfLifeDays: 36_500,
      why: 'kinship stays',
      en: phrases(`son is | daughter is | son's name is | daughter's name is | son is called | daughter is called | son is named |
        daughter is named | {o} is {s} son | {o} is {s} daughter | is the mother of | is the father of`),
      zh: phrases(`儿子叫 | 女儿叫 | 儿子是 | 女儿是 | 孩子叫 | 儿子名叫 | 女儿名叫`),
    },
    {
      name: 'parent',
      holds: 'many',
      halfLifeDays: 36_500,
      why: 'kinship stays',
      en: phrases(`mother is | father is | mom is | dad is | mother's name is | father's name is | {o} is {s} mother | {o} is {s} father |
        {o} is {s} mom | {o} is {s} dad | is the son of | is the daughter of`),
      zh: phrases(`妈妈叫 | 爸爸叫 | 母亲是 | 父亲是 | 妈妈是 | 爸爸是 | 母亲叫 | 父亲叫`),
    },
    {
      name: 'sibling',
      holds: 'many',
      halfLifeDays: 36_500,
      why: 'kinship stays',
      en: phrases(`brother is | sister is | brother's name is | sister's name is | {o} is {s} brother | {o} is {s} sister | is the brother of |
        is the sister of`),
      zh: phrases(`哥哥叫 | 弟弟叫 | 姐姐叫 | 妹妹叫 | 哥哥是 | 弟弟是 | 姐姐是 | 妹妹是`),
    },
    {
      name: 'friend',
      holds: 'many',
      halfLifeDays: 2_500,
      why: 'half of a circle of friends is replaced in about seven years',
      en: phrases(`is friends with | am friends with | 'm friends with | best friend is | {o} is {s} friend | {o} is {s} best friend |
        is a friend of`),
      zh: phrases(`好朋友是 | 最好的朋友是 | 闺蜜是 | 和{o}是朋友 | 跟{o}是朋友 | 朋友叫`),
    },
    {
      name: 'reports_to',
      holds: 'one',
      halfLifeDays: 600,
      why: 'teams are put together anew within two years',
      en: phrases(`reports to | report to | boss is | manager is | supervisor is | team lead is | {o} is {s} boss | {o} is {s} manager |
        {o} manages {s}`),
      zh: phrases(`的老板是 | 的领导是 | 的上司是 | 的直属领导是 | 老板是 | 领导是 | 向{o}汇报 | 上司是 | 主管是`),
    },
    {
      name: 'pet',
      holds: 'many',
      halfLifeDays: 3_650,
      why: 'pets live about ten years',
      en: phrases(`adopted | has a dog named | have a dog named | has a cat named | have a cat named | dog is called | cat is called |
        dog is named | cat is named | dog's name is | cat's name is | dog is | cat is | has a pet | have a pet | puppy is called |
        puppy is named`),
      zh: phrases(
        `养了 | 养着 | 的狗叫 | 的猫叫 | 狗叫 | 猫叫 | 领养了 | 宠物是 | 小狗叫 | 小猫叫 | 狗的名字是 | 猫的名字是`,
      ),
    },
    {
      name: 'likes',
      holds: 'many',
      halfLifeDays: 1_000,
      why: 'tastes drift over a few years',
      en: phrases(`likes | like to | loves | love | enjoys | enjoy | is fond of | am fond of | 'm into | is into | am into | is a fan of |
        'm a fan of | is a big fan of | 'm a big fan of | hobby is | hobbies are | is passionate about | 'm passionate about |
        is interested in | 'm interested in | i like | we like | really like`),
      zh: phrases(`喜欢 | 爱好是 | 爱吃 | 爱喝 | 爱看 | 爱听 | 热爱 | 对{o}感兴趣 | 迷上了 | 喜愛 | 喜歡 | 很爱`),
    },
    {
      name: 'dislikes',
      holds: 'many',
      halfLifeDays: 1_000,
      why: 'tastes drift over a few years',
      en: phrases(`dislikes | dislike | hates | hate | can't stand | cannot stand | doesn't like | don't like | does not like | do not like |
        avoids | is not a fan of | isn't a fan of`),
      zh: phrases(`不喜欢 | 讨厌 | 不爱 | 不爱吃 | 受不了 | 不想吃 | 讨厌吃 | 不喜歡 | 討厭`),
    },
    {
      name: 'favourite',
      holds: 'one',
      halfLifeDays: 700,
      why: 'there is one favourite at a time, and it changes with tastes',
      en: phrases(`favorite is | favourite is | prefers | prefer | would rather have | favorite color is | favourite colour is |
        favorite food is | favourite food is | favorite book is | favourite book is | favorite movie is | favourite film is |
        favorite band is`),
      zh: phrases(`最喜欢 | 最爱 | 最喜欢的是 | 更喜欢 | 偏好 | 最喜歡 | 偏爱 | 最爱的是 | 最喜欢吃 | 最喜欢的颜色是 | 最喜欢的书是 |
        最喜欢的电影是`),
    },
    {
      name: 'allergic_to',
      holds: 'many',
      halfLifeDays: 7_000,
      why: 'allergies mostly stay for decades',
      en: phrases(`is allergic to | am allergic to | 'm allergic to | has an allergy to | have an allergy to | is intolerant to | can't eat |
        cannot eat | doesn't eat | don't eat`),
      zh: phrases(`对{o}过敏 | 過敏原是 | 过敏原是 | 不能吃 | 不吃`),
    },
    {
      name: 'speaks',
      holds: 'many',
      halfLifeDays: 10_000,
      why: 'a language that is spoken is kept',
      en: phrases(
        `speaks | speak fluent | is fluent in | am fluent in | 'm fluent in | native language is | mother tongue is`,
      ),
      zh: phrases(`会说 | 会讲 | 母语是 | 说一口流利的 | 會說 | 會講`),
    },
    {
      name: 'plays',
      holds: 'many',
      halfLifeDays: 1_500,
      why: 'hobbies last a few years',
      en: phrases(`plays | play the | plays the | is playing the | started playing | is learning to play`),
      zh: phrases(`会弹 | 弹 | 打{o}球 | 在学弹 | 会拉`),
    },
    {
      name: 'owns',
      holds: 'many',
      halfLifeDays: 1_800,
      why: 'cars, phones and machines are kept for about five years',
      en: phrases(
        `owns | own a | bought | just bought | purchased | drives | drive a | got a new | has a new | have a new`,
      ),
      zh: phrases(`买了 | 新买了 | 拥有 | 开的是 | 换了一台 | 买了一辆 | 买了一台 | 買了 | 入手了`),
    },
    {
      name: 'birthday',
      holds: 'one',
      halfLifeDays: 36_500,
      why: 'a day of birth does not change',
      en: phrases(`birthday is on | birthday is | was born on | birth date is | date of birth is`),
      zh: phrases(`生日是 | 的生日是 | 生日在 | 出生日期是`),
    },
    {
      name: 'age',
      holds: 'one',
      halfLifeDays: 365,
      why: 'it changes every year',
      en: phrases(`is {o} years old | am {o} years old | 'm {o} years old | is {o} years old | am {o} years old | 'm {o} years old | is turning |
        turned | age is | just turned`),
      zh: phrases(`今年{o}岁 | 今年{o}岁 | 今年 | 年龄是 | 刚满 | 满`),
      object: 'number',
    },
    {
      name: 'email',
      object: 'value',
      holds: 'one',
      halfLifeDays: 2_500,
      why: 'addresses change with jobs and providers',
      en: phrases(`email is | e-mail is | email address is | mail address is`),
      zh: phrases(`邮箱是 | 的邮箱是 | 电子邮箱是 | 邮件地址是 | 郵箱是`),
    },
    {
      name: 'phone',
      object: 'value',
      holds: 'one',
      halfLifeDays: 2_500,
      why: 'numbers are kept for years',
      en: phrases(`phone number is | number is | phone is | cell is | mobile is`),
      zh: phrases(`电话是 | 手机号是 | 电话号码是 | 手机号码是 | 電話是`),
    },
    {
      name: 'visited',
      holds: 'many',
      halfLifeDays: 36_500,
      why: 'what happened stays so',
      en: phrases(
        `visited | went to | travelled to | traveled to | took a trip to | flew to | has been to | have been to | 've been to`,
      ),
      zh: phrases(`去过 | 去了 | 到过 | 游览了 | 飞往 | 去{o}旅游 | 去{o}旅行 | 去過`),
    },
    {
      name: 'plans',
      object: 'clause',
      holds: 'many',
      halfLifeDays: 60,
      why: 'a plan is carried out or dropped within months',
      en: phrases(`plans to | plan to | is planning to | am planning to | 'm planning to | is going to | 'm going to | intends to | wants to |
        want to | is hoping to | hopes to`),
      zh: phrases(`打算 | 计划 | 准备去 | 想要 | 计划去 | 打算去 | 準備 | 計劃`),
    },
  ],
};
